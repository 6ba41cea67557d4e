import { type FormEvent, useId, useRef, useState } from 'react';
import { buildDestination, parseDestination } from '#contracts/rules/destination.ts';
import { NOTES_LIMIT } from '#contracts/rules/limits.ts';
import { toast } from '#web/lib/toast.tsx';
import { useFormDraft } from '#web/lib/use-form-draft.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { RestoredNote } from '#web/ui/restored-note.tsx';
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { useUnsavedChanges } from '#web/ui/use-unsaved-changes.tsx';

interface Props {
  /** Under which the tab keeps what is not saved yet (`useDraftKey`). */
  draftKey: string;
  /** Whose destination it is. */
  subject: string;
  destinationId: string | null;
  notes: string | null;
  pending: boolean;
  /** Whoever has stored it forgets the draft (`forgetDraft`). */
  onSave: (destination: { destinationId: string; notes: string }) => void;
  onClose: () => void;
}

/** Links an interview to a job application. What saving does is up to the caller. */
export function DestinationDialog({ draftKey, subject, destinationId, notes, pending, onSave, onClose }: Props) {
  const formId = useId();
  const stored = { ...idsOf(destinationId), notes: notes ?? '' };
  const { form, change, changed, restored, theirs, forget } = useFormDraft(draftKey, stored);
  const [tab, setTab] = useState('details');
  const [refused, setRefused] = useState(false);
  const details = useRef<HTMLDivElement>(null);
  const { leave, question } = useUnsavedChanges(changed, forget);
  const destination = { employerId: form.employerId.trim(), jobId: form.jobId.trim() };
  const title = destinationId === null ? 'Set Destination' : 'Update Destination';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (destination.employerId && destination.jobId) {
      onSave({ destinationId: buildDestination(destination), notes: form.notes.trim() });
      return;
    }
    setRefused(true);
    setTab('details');
    toast({
      title: 'Validation Error',
      description: 'Both Employer ID and Job ID are required',
      variant: 'destructive',
    });
    details.current?.querySelector<HTMLInputElement>('input:placeholder-shown')?.focus();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => open || pending || leave(onClose)}
      title={title}
      description={subject}
      startAt={() => details.current?.querySelector('input')}
      footer={
        <>
          <Button disabled={pending} onClick={() => leave(onClose)}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" pending={pending}>
            {pending ? 'Saving...' : title}
          </Button>
        </>
      }
    >
      {restored && !theirs && <RestoredNote />}
      {theirs && !pending && <LinkedMeanwhile destinationId={destinationId} notes={notes} />}
      <form id={formId} onSubmit={submit} noValidate>
        <Tabs value={tab} onValueChange={setTab}>
          <TabList label="Destination" className="mb-4">
            <Tab value="details">Application Details</Tab>
            <Tab value="notes">Additional Notes</Tab>
          </TabList>
          <TabPanel value="details" ref={details} tabIndex={-1} className="flex flex-col gap-4 outline-none">
            <IdField
              label="Employer ID"
              value={form.employerId}
              invalid={refused}
              onChange={(employerId) => change({ employerId })}
            />
            <IdField label="Job ID" value={form.jobId} invalid={refused} onChange={(jobId) => change({ jobId })} />
            <SavedAs {...destination} />
          </TabPanel>
          <TabPanel value="notes">
            <NotesField value={form.notes} onChange={(written) => change({ notes: written })} />
          </TabPanel>
        </Tabs>
      </form>
      {question}
    </Dialog>
  );
}

const idsOf = (id: string | null) => (id === null ? null : parseDestination(id)) ?? { employerId: '', jobId: '' };

interface StoredDestination {
  destinationId: string | null;
  notes: string | null;
}

/** Somebody else saved while this one was being written: nobody's notes are replaced unseen. */
const LinkedMeanwhile = ({ destinationId, notes }: StoredDestination) => (
  <Alert tone="danger" title="Somebody else has changed this destination since you began" className="mb-4">
    <p>Saving replaces theirs:</p>
    <p className="font-mono text-xs break-all">{destinationId}</p>
    {notes && <p className="mt-1 max-h-24 overflow-y-auto break-words whitespace-pre-line">{notes}</p>}
  </Alert>
);

const NotesField = ({ value, onChange }: { value: string; onChange: (notes: string) => void }) => (
  <Field label="Notes" counter={{ length: value.length, most: NOTES_LIMIT }}>
    {(control) => (
      <Textarea
        {...control}
        name="notes"
        rows={8}
        maxLength={NOTES_LIMIT}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

interface IdFieldProps {
  label: string;
  value: string;
  /** After a refused save: an empty value shows as wrong. */
  invalid: boolean;
  onChange: (value: string) => void;
}

const IdField = ({ label, value, invalid, onChange }: IdFieldProps) => (
  <Field label={label} required>
    {(control) => (
      <Input
        {...control}
        aria-invalid={(invalid && value.trim() === '') || undefined}
        placeholder=" "
        autoComplete="off"
        spellCheck={false}
        maxLength={90}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

/** The id as it will be stored. The employer id ends at the first hyphen, which one would otherwise notice too late. */
function SavedAs(destination: { employerId: string; jobId: string }) {
  if (!destination.employerId || !destination.jobId) return null;
  return (
    <p className="text-sm text-muted">
      Saved as <span className="font-mono text-xs break-all text-ink">{buildDestination(destination)}</span>
      {destination.employerId.includes('-') && (
        <span className="mt-1 block text-warning-ink">
          What follows the first hyphen of the Employer ID will count as part of the Job ID.
        </span>
      )}
    </p>
  );
}
