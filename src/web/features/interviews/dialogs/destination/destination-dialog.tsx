import {
  type ClipboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { buildDestination, type Destination, parseDestination } from '#contracts/rules/destination.ts';
import { MAX_NOTES_LENGTH } from '#contracts/rules/limits.ts';
import { splitDestination } from '#contracts/rules/split-destination.ts';
import { RestoredNote } from '#web/features/drafts/restored-note.tsx';
import { useFormDraft } from '#web/features/drafts/use-form-draft.ts';
import { useUnsavedChanges } from '#web/features/drafts/use-unsaved-changes.tsx';
import { toast } from '#web/lib/toast.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { Tab, TabList, TabPanel, TabPanels, Tabs } from '#web/ui/layout/tabs.tsx';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';

interface Props {
  /** The storage key of unsaved changes (`useDraftKey`). */
  draftKey: string;
  /** The title of the interview. */
  subject: string;
  destinationId: string | null;
  notes: string | null;
  /**
   * The Employer ID that a new destination starts with. It may arrive after the dialog has opened.
   */
  suggestedEmployerId?: string | null;
  /** The template of links to job applications, to split pasted ones. */
  linkTemplate?: string;
  pending: boolean;
  /** Saves the destination and, on success, discards the draft (`forgetDraft`). */
  onSave: (destination: { destinationId: string; notes: string }) => void;
  onClose: () => void;
  /** Finds a job in the ATS, above the ids. `onFind` fills both. */
  finder?: (onFind: (destination: Destination) => void) => ReactNode;
  /** Above the form. */
  children?: ReactNode;
}

/** Links an interview to a job application. The caller saves it. */
export function DestinationDialog({
  draftKey,
  subject,
  destinationId,
  notes,
  pending,
  onSave,
  onClose,
  finder,
  children,
  ...hints
}: Props) {
  const stored = { ...idsOf(destinationId), notes: notes ?? '' };
  const suggested =
    destinationId === null && hints.suggestedEmployerId ? { employerId: hints.suggestedEmployerId } : {};
  const { form, change, changed, restored, theirs, discard, forget } = useFormDraft(draftKey, stored, suggested);
  const [tab, setTab] = useState('details');
  const [rejected, setRejected] = useState(false);
  const details = useRef<HTMLDivElement>(null);
  useFocusAfterSuggestion(details, changed ? undefined : suggested.employerId);
  const { leave, question } = useUnsavedChanges(changed, forget);
  const destination = { employerId: form.employerId.trim(), jobId: form.jobId.trim() };
  const title = destinationId === null ? 'Set Destination' : 'Update Destination';

  const submit = () => {
    if (destination.employerId && destination.jobId) {
      onSave({ destinationId: buildDestination(destination), notes: form.notes.trim() });
      return;
    }
    // The tab must be rendered before its field can receive the focus.
    flushSync(() => {
      setRejected(true);
      setTab('details');
    });
    toast({
      title: 'Validation Error',
      description: 'Both Employer ID and Job ID are required',
      variant: 'destructive',
    });
    firstEmptyField(details)?.focus();
  };

  const paste = (event: ClipboardEvent) => {
    const split = splitDestination(event.clipboardData.getData('text'), hints.linkTemplate);
    if (!split) return;
    event.preventDefault();
    change(split);
  };

  return (
    <FormDialog
      title={title}
      description={subject}
      startAt={(fields) => firstEmptyField(details) ?? fields.querySelector<HTMLElement>(ID_FIELDS)}
      action={pending ? 'Saving...' : title}
      pending={pending}
      guardsBack={changed}
      onSubmit={submit}
      onClose={() => leave(onClose)}
      above={
        <>
          {restored && !theirs && <RestoredNote onDiscard={discard} />}
          {theirs && !pending && <OtherVersion destinationId={destinationId} notes={notes} />}
          {children}
          {question}
        </>
      }
    >
      <Tabs value={tab} onValueChange={setTab}>
        <TabList label="Destination" className="mb-4">
          <Tab value="details">Application Details</Tab>
          <Tab value="notes">Additional Notes</Tab>
        </TabList>
        <TabPanels>
          <TabPanel value="details" keepMounted ref={details} className="flex flex-col gap-4 outline-none">
            {finder?.(change)}
            <IdField
              label="Employer ID"
              value={form.employerId}
              invalid={rejected}
              onChange={(employerId) => change({ employerId })}
              onPaste={paste}
            />
            <IdField
              label="Job ID"
              value={form.jobId}
              invalid={rejected}
              onChange={(jobId) => change({ jobId })}
              onPaste={paste}
            />
            <SavedAs {...destination} />
          </TabPanel>
          <TabPanel value="notes" keepMounted>
            <NotesField value={form.notes} onChange={(written) => change({ notes: written })} />
          </TabPanel>
        </TabPanels>
      </Tabs>
    </FormDialog>
  );
}

/** The form without the job search. */
const ID_FIELDS = 'input:not([role])';

const firstEmptyField = (details: RefObject<HTMLDivElement | null>) =>
  [...(details.current?.querySelectorAll<HTMLInputElement>(ID_FIELDS) ?? [])].find(({ value }) => value === '');

/** Moves the cursor to the Job ID when the Employer ID is suggested after the dialog has opened. */
function useFocusAfterSuggestion(details: RefObject<HTMLDivElement | null>, employerId: string | undefined): void {
  const moveFocus = useEffectEvent(() => {
    if (details.current?.contains(document.activeElement)) firstEmptyField(details)?.focus();
  });
  useEffect(() => {
    if (employerId !== undefined) moveFocus();
  }, [employerId]);
}

const idsOf = (id: string | null) => (id === null ? null : parseDestination(id)) ?? { employerId: '', jobId: '' };

/** Shows what another user has saved in the meantime, before it is replaced. */
const OtherVersion = ({ destinationId, notes }: Pick<Props, 'destinationId' | 'notes'>) => (
  <Alert tone="danger" title="Someone else edited this destination while you were writing" className="mb-4">
    <p>Saving will replace:</p>
    <p className="font-mono text-xs break-all">{destinationId}</p>
    {notes && <p className="mt-1 max-h-24 overflow-y-auto break-words whitespace-pre-line">{notes}</p>}
  </Alert>
);

const NotesField = ({ value, onChange }: { value: string; onChange: (notes: string) => void }) => (
  <Field label="Notes" counter={{ length: value.length, max: MAX_NOTES_LENGTH }}>
    {(control) => (
      <Textarea
        {...control}
        name="notes"
        rows={8}
        maxLength={MAX_NOTES_LENGTH}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

interface IdFieldProps {
  label: string;
  value: string;
  /** Marks an empty value as invalid: after a rejected save. */
  invalid: boolean;
  onChange: (value: string) => void;
  onPaste: (event: ClipboardEvent) => void;
}

const IdField = ({ label, value, invalid, onChange, onPaste }: IdFieldProps) => (
  <Field label={label} required error={invalid && value.trim() === '' ? `${label} is required` : undefined}>
    {(control) => (
      <Input
        {...control}
        placeholder=" "
        autoComplete="off"
        spellCheck={false}
        maxLength={90}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onPaste={onPaste}
      />
    )}
  </Field>
);

/**
 * The id as it will be stored. The employer id ends at its first hyphen, which users should see
 * before they save.
 */
function SavedAs(destination: { employerId: string; jobId: string }) {
  if (!destination.employerId || !destination.jobId) return null;
  return (
    <p className="text-sm text-muted">
      Will be saved as <span className="font-mono text-xs break-all text-ink">{buildDestination(destination)}</span>
      {destination.employerId.includes('-') && (
        <span className="mt-1 block text-warning-ink">
          Employer IDs can't contain a hyphen: everything after it becomes part of the Job ID.
        </span>
      )}
    </p>
  );
}
