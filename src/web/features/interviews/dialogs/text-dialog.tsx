import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getInterview, type Interview } from '#contracts/interviews.ts';
import { TextEditor } from '#web/features/interviews/dialogs/text-editor.tsx';
import { TEXT_KINDS, type TextKind } from '#web/features/interviews/dialogs/text-kinds.ts';
import { TextViewer } from '#web/features/interviews/dialogs/text-viewer.tsx';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Loading } from '#web/ui/loading.tsx';

interface Props {
  kind: TextKind;
  interview: Interview;
  onClose: () => void;
}

/** A transcript or a summary: to read, and after Edit to write. */
export function TextDialog({ kind, interview, onClose }: Props) {
  const { title, textOf } = TEXT_KINDS[kind];
  const [editing, setEditing] = useState(false);
  const client = useQueryClient();
  const query = endpointQuery(getInterview, { params: { id: interview.id } });
  // A step may have finished since it was read last: ask whenever a dialog opens, but never under an open editor.
  const whole = useQuery({ ...query, staleTime: 0, refetchOnWindowFocus: !editing });
  const head = { title, description: interview.title, size: 'lg' as const };

  if (!whole.data) {
    return (
      <Dialog open onOpenChange={(open) => open || onClose()} {...head}>
        {whole.isError ? <Failure what={title} query={whole} /> : <Loading>Loading...</Loading>}
      </Dialog>
    );
  }
  const text = textOf(whole.data);
  if (!editing) {
    return <TextViewer {...head} text={text} onEdit={() => setEditing(true)} onClose={onClose} />;
  }
  return (
    <TextEditor
      {...head}
      kind={kind}
      id={interview.id}
      text={text}
      onSaved={() => {
        client.invalidateQueries({ queryKey: query.queryKey });
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
