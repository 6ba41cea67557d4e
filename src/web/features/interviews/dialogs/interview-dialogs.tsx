import { lazy, Suspense } from 'react';
import type { OpenDialog } from '#web/features/interviews/dialogs/open-dialog.ts';

// Each loads when it is first opened: together they are heavier than the page.
const QuestionsDialog = lazy(() =>
  import('#web/features/interviews/dialogs/questions-dialog.tsx').then((m) => ({ default: m.QuestionsDialog })),
);
const VideoDialog = lazy(() =>
  import('#web/features/interviews/dialogs/video-dialog.tsx').then((m) => ({ default: m.VideoDialog })),
);
const TextDialog = lazy(() =>
  import('#web/features/interviews/dialogs/text-dialog.tsx').then((m) => ({ default: m.TextDialog })),
);
const InterviewDestinationDialog = lazy(() =>
  import('#web/features/interviews/dialogs/interview-destination-dialog.tsx').then((m) => ({
    default: m.InterviewDestinationDialog,
  })),
);

interface Props {
  dialog: OpenDialog | null;
  onClose: () => void;
}

export function InterviewDialogs({ dialog, onClose }: Props) {
  if (!dialog) return null;
  const { kind, interview } = dialog;
  return (
    <Suspense>
      {kind === 'questions' && <QuestionsDialog interview={interview} onClose={onClose} />}
      {kind === 'video' && <VideoDialog interview={interview} onClose={onClose} />}
      {kind === 'transcript' && <TextDialog kind="transcript" interview={interview} onClose={onClose} />}
      {kind === 'summary' && <TextDialog kind="summary" interview={interview} onClose={onClose} />}
      {kind === 'destination' && <InterviewDestinationDialog interview={interview} onClose={onClose} />}
    </Suspense>
  );
}
