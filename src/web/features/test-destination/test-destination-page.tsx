import { useState } from 'react';
import { DestinationDialog } from '#web/features/interviews/dialogs/destination-dialog.tsx';
import { useDraftKey } from '#web/features/session/use-draft-key.ts';
import { toast } from '#web/lib/toast.tsx';
import { forgetDraft } from '#web/lib/use-draft.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';

const SAMPLE = { title: 'Sample interview', notes: 'Available from the first of the month.' };
const SAMPLE_DESTINATION = 'BUB-ACME-2026-07';

/** Section 2 of the specification: shows the destination dialog on sample data. Saving shows what would be sent and calls nothing. */
export function TestDestinationPage() {
  useTitle('Test Destination');
  const [existing, setExisting] = useState(false);
  const [open, setOpen] = useState(false);
  const [sent, setSent] = useState<object | null>(null);
  const draftKey = useDraftKey(`destination of the ${existing ? 'linked ' : ''}sample`);
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight sm:text-2xl">Test Destination</h1>
      <p className="mt-0.5 mb-6 text-muted">Opens the destination dialog on sample data. Nothing is saved.</p>
      <Card className="flex max-w-xl flex-col items-start gap-4 p-5">
        <Checkbox
          label="With an existing destination"
          checked={existing}
          onChange={(event) => setExisting(event.target.checked)}
        />
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          <dt className="text-muted">Interview</dt>
          <dd>{SAMPLE.title}</dd>
          <dt className="text-muted">Destination</dt>
          <dd className="font-mono text-xs leading-5">{existing ? SAMPLE_DESTINATION : 'none'}</dd>
        </dl>
        <Button variant="primary" onClick={() => setOpen(true)}>
          {existing ? 'Update Destination' : 'Set Destination'}
        </Button>
      </Card>
      {sent && (
        <section className="mt-6 max-w-xl" aria-live="polite">
          <h2 className="mb-2 font-semibold">What would be sent</h2>
          <pre className="overflow-x-auto rounded-lg border border-line bg-sunken p-4 text-sm">
            {`POST /api/interviews/{id}/destination\n${JSON.stringify(sent, null, 2)}`}
          </pre>
        </section>
      )}
      {open && (
        <DestinationDialog
          draftKey={draftKey}
          subject={SAMPLE.title}
          destinationId={existing ? SAMPLE_DESTINATION : null}
          notes={existing ? SAMPLE.notes : null}
          pending={false}
          onSave={(body) => {
            forgetDraft(draftKey);
            setSent(body);
            setOpen(false);
            toast({ title: 'Destination Updated', description: 'This was a test: nothing was saved.' });
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
