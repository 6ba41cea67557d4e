import { type FormEvent, useId, useRef, useState } from 'react';
import { NOTES_LIMIT } from '#contracts/interviews.ts';
import { buildDestination, parseDestination } from '#contracts/rules/destination.ts';
import { toast } from '#web/lib/toast.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx';
import { Textarea } from '#web/ui/textarea.tsx';

interface Props {
  /** Whose destination it is. */
  subject: string;
  destinationId: string | null;
  notes: string | null;
  pending: boolean;
  onSave: (destination: { destinationId: string; notes: string }) => void;
  onClose: () => void;
}

/** Links an interview to a job application. What saving does is up to the caller. */
export function DestinationDialog({ subject, destinationId, notes, pending, onSave, onClose }: Props) {
  const form = useId();
  const before = destinationId === null ? null : parseDestination(destinationId);
  const [tab, setTab] = useState('details');
  const [employerId, setEmployerId] = useState(before?.employerId ?? '');
  const [jobId, setJobId] = useState(before?.jobId ?? '');
  const [written, setWritten] = useState(notes ?? '');
  const [refused, setRefused] = useState(false);
  const details = useRef<HTMLDivElement>(null);
  const destination = { employerId: employerId.trim(), jobId: jobId.trim() };
  const title = destinationId === null ? 'Set Destination' : 'Update Destination';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (destination.employerId && destination.jobId) {
      onSave({ destinationId: buildDestination(destination), notes: written.trim() });
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
      onOpenChange={(open) => open || pending || onClose()}
      title={title}
      description={subject}
      footer={
        <>
          <Button disabled={pending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={form} variant="primary" pending={pending}>
            {pending ? 'Saving...' : title}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} noValidate>
        <Tabs value={tab} onValueChange={setTab}>
          <TabList label="Destination" className="mb-4">
            <Tab value="details">Application Details</Tab>
            <Tab value="notes">Additional Notes</Tab>
          </TabList>
          <TabPanel value="details" ref={details} tabIndex={-1} className="flex flex-col gap-4 outline-none">
            <IdField label="Employer ID" value={employerId} invalid={refused} onChange={setEmployerId} />
            <IdField label="Job ID" value={jobId} invalid={refused} onChange={setJobId} />
            <SavedAs {...destination} />
          </TabPanel>
          <TabPanel value="notes">
            <Field label="Notes" counter={{ length: written.length, most: NOTES_LIMIT }}>
              {(control) => (
                <Textarea
                  {...control}
                  name="notes"
                  rows={8}
                  maxLength={NOTES_LIMIT}
                  value={written}
                  onChange={(event) => setWritten(event.target.value)}
                />
              )}
            </Field>
          </TabPanel>
        </Tabs>
      </form>
    </Dialog>
  );
}

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
