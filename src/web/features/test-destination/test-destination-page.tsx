import { useState } from 'react';
import { forgetDraft } from '#web/features/drafts/use-draft.ts';
import { DestinationDialog } from '#web/features/interviews/dialogs/destination/destination-dialog.tsx';
import { useDraftKey } from '#web/features/session/session.ts';
import { toast } from '#web/lib/toast.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Checkbox } from '#web/ui/forms/checkbox.tsx';
import { Card } from '#web/ui/layout/card.tsx';

const SAMPLE = { title: 'Sample interview', notes: 'Available from the first of the month.' };
const SAMPLE_DESTINATION = 'BUB-ACME-2026-07';

/** Section 2 of the specification. Saving shows the request and sends nothing. */
export function TestDestinationPage() {
  useTitle('Test Destination');
  const [isLinked, setLinked] = useState(false);
  const { dialog, open, close } = useDialog(['test-destination']);
  const [sent, setSent] = useState<object | null>(null);
  const draftKey = useDraftKey(`destination of the ${isLinked ? 'linked ' : ''}sample`);
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight sm:text-2xl">Test Destination</h1>
      <p className="mt-0.5 mb-6 text-muted">Try the destination dialog with sample data. Nothing is saved.</p>
      <Card className="flex max-w-xl flex-col items-start gap-4 p-5">
        <Checkbox
          label="With an existing destination"
          checked={isLinked}
          onChange={(event) => setLinked(event.target.checked)}
        />
        <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1 text-sm">
          <dt className="text-muted">Interview</dt>
          <dd>{SAMPLE.title}</dd>
          <dt className="text-muted">Destination</dt>
          <dd className="font-mono text-xs leading-5">{isLinked ? SAMPLE_DESTINATION : 'none'}</dd>
        </dl>
        <Button variant="primary" onClick={() => open('test-destination')}>
          {isLinked ? 'Update Destination' : 'Set Destination'}
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
      {dialog && (
        <DestinationDialog
          draftKey={draftKey}
          subject={SAMPLE.title}
          destinationId={isLinked ? SAMPLE_DESTINATION : null}
          notes={isLinked ? SAMPLE.notes : null}
          pending={false}
          onSave={(body) => {
            forgetDraft(draftKey);
            setSent(body);
            close();
            toast({ title: 'Destination Updated', description: 'Test only. Nothing was saved.' });
          }}
          onClose={close}
        />
      )}
    </>
  );
}
