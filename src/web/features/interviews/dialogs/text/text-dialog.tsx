import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { STEPS } from '#contracts/rules/steps.ts';
import { hasDraft } from '#web/features/drafts/use-draft.ts';
import { useDraftKey } from '#web/features/session/session.ts';
import { useMay } from '#web/lib/may.ts';
import { LoadError } from '#web/ui/feedback/load-error.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { SummaryEditor } from './summary-editor.tsx';
import { TextEditor } from './text-editor.tsx';
import { TextViewer } from './text-viewer.tsx';
import { TEXT_KINDS, type TextKind, useText } from './use-text.ts';

interface Props {
  kind: TextKind;
  interview: Interview;
  onClose: () => void;
}

/**
 * Shows a transcript or a summary. Edit switches to an editor, which has sections for a structured
 * summary. If there is an unsaved draft, or the step has failed, the dialog opens in its editor.
 */
export function TextDialog({ kind, interview, onClose }: Props) {
  const { title } = TEXT_KINDS[kind];
  const textKey = useDraftKey(`${kind} ${interview.id}`);
  const sectionsKey = useDraftKey(`${kind} sections ${interview.id}`);
  // After a failure the text is missing.
  const [isMissing] = useState(interview[STEPS[TEXT_KINDS[kind].step].status] === 'failed');
  const mayEdit = useMay()('PUT /api/interviews/:id/transcript');
  const [isOpened, setEditing] = useState(() => isMissing || hasDraft(textKey) || hasDraft(sectionsKey));
  const editing = isOpened && mayEdit;
  const queryClient = useQueryClient();
  const query = useText(kind, interview.id, editing);
  const head = { title, description: interview.title, size: 'lg' as const };

  if (!query.data || !editing) {
    return (
      <TextViewer
        {...head}
        kind={kind}
        interview={interview}
        loaded={query.data ?? null}
        onEdit={() => setEditing(true)}
        onClose={onClose}
      >
        {query.isError && <LoadError title={`Couldn't load the ${title.toLowerCase()}`} query={query} />}
        {query.isPending && <Loading>Loading...</Loading>}
      </TextViewer>
    );
  }
  // A draft keeps its editor when someone stores the other kind of summary in the meantime.
  const bySection = hasDraft(sectionsKey) || (query.data.structure !== null && !hasDraft(textKey));
  const Editor = bySection ? SummaryEditor : TextEditor;
  return (
    <Editor
      {...head}
      kind={kind}
      id={interview.id}
      draftKey={bySection ? sectionsKey : textKey}
      stored={query.data}
      onSaved={() => {
        for (const path of ['/api/interviews/:id/transcript', '/api/interviews/:id/summary'] as const)
          queryClient.invalidateQueries({ queryKey: [path] });
        onClose();
      }}
      onCancel={() => (isMissing ? onClose() : setEditing(false))}
      onClose={onClose}
    />
  );
}
