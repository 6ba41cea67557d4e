import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { TextEditor } from '#web/features/interviews/dialogs/text-editor.tsx';
import { TEXT_KINDS, type TextKind } from '#web/features/interviews/dialogs/text-kinds.ts';
import { TextViewer } from '#web/features/interviews/dialogs/text-viewer.tsx';
import { useText } from '#web/features/interviews/dialogs/use-text.ts';
import { useDraftKey } from '#web/features/session/use-draft-key.ts';
import { getSummary, getTranscript } from '#web/lib/api.ts';
import { hasDraft } from '#web/lib/use-draft.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Loading } from '#web/ui/loading.tsx';

interface Props {
  kind: TextKind;
  interview: Interview;
  onClose: () => void;
}

/** A transcript or a summary: to read, and after Edit to write. What somebody did not come to save is in front of them at once. */
export function TextDialog({ kind, interview, onClose }: Props) {
  const { title } = TEXT_KINDS[kind];
  const draftKey = useDraftKey(`${kind} ${interview.id}`);
  const [editing, setEditing] = useState(() => hasDraft(draftKey));
  const client = useQueryClient();
  const whole = useText(kind, interview.id, editing);
  const head = { title, description: interview.title, size: 'lg' as const };

  if (!whole.data || !editing) {
    return (
      <TextViewer
        {...head}
        kind={kind}
        interview={interview}
        loaded={whole.data ?? null}
        onEdit={() => setEditing(true)}
        onClose={onClose}
      >
        {whole.isError && <Failure what={title} query={whole} />}
        {whole.isPending && <Loading>Loading...</Loading>}
      </TextViewer>
    );
  }
  return (
    <TextEditor
      {...head}
      kind={kind}
      id={interview.id}
      draftKey={draftKey}
      stored={whole.data}
      onSaved={() => {
        for (const { path } of [getTranscript, getSummary]) client.invalidateQueries({ queryKey: [path] });
        onClose();
      }}
      onCancel={() => setEditing(false)}
      onClose={onClose}
    />
  );
}

const Failure = ({ what, query }: { what: string; query: { error: Error | null; refetch: () => unknown } }) => (
  <Alert
    tone="danger"
    title={`The ${what.toLowerCase()} could not be loaded`}
    actions={
      <Button size="sm" onClick={() => query.refetch()}>
        Retry
      </Button>
    }
  >
    {query.error?.message}
  </Alert>
);
