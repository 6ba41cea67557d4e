import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { hasDraft } from '#web/features/drafts/use-draft.ts';
import { useDraftKey } from '#web/features/session/session.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { TextEditor } from './text-editor.tsx';
import { TextViewer } from './text-viewer.tsx';
import { TEXT_KINDS, type TextKind, useText } from './use-text.ts';

interface Props {
  kind: TextKind;
  interview: Interview;
  onClose: () => void;
}

/**
 * Shows a transcript or a summary, and edits it after Edit. Opens in the editor when there is an
 * unsaved draft.
 */
export function TextDialog({ kind, interview, onClose }: Props) {
  const { title } = TEXT_KINDS[kind];
  const draftKey = useDraftKey(`${kind} ${interview.id}`);
  const [editing, setEditing] = useState(() => hasDraft(draftKey));
  const queryClient = useQueryClient();
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
        for (const path of ['/api/interviews/:id/transcript', '/api/interviews/:id/summary'] as const)
          queryClient.invalidateQueries({ queryKey: [path] });
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
    title={`The ${what.toLowerCase()} couldn't be loaded`}
    actions={
      <Button size="sm" onClick={() => query.refetch()}>
        Retry
      </Button>
    }
  >
    {query.error?.message}
  </Alert>
);
