import type { TextKind } from '#web/features/interviews/dialogs/text-kinds.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Textarea } from '#web/ui/textarea.tsx';

/** Two people, or a person and a step, wrote the same text: what the other one stored, so that neither is lost unseen. */
export function ChangedMeanwhile({ kind, theirs }: { kind: TextKind; theirs: string }) {
  return (
    <Alert tone="danger" title={`Somebody else has changed this ${kind} since you began`} className="mb-3">
      <p>Your words are below, and nothing is lost yet. Saving them replaces this version:</p>
      <Textarea readOnly aria-label={`The ${kind} as it is stored now`} value={theirs} className="mt-2 max-h-40" />
    </Alert>
  );
}
