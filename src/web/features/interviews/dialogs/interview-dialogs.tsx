import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { listInterviews } from '#contracts/interviews.ts';
import type { InterviewFilters } from '#web/features/interviews/interview-filters.ts';
import { interviewQuery } from '#web/features/interviews/interviews-query.ts';
import { toast } from '#web/lib/toast.ts';
import { useLastKnown } from '#web/lib/use-dialog.ts';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import type { InterviewDialog } from './open-dialog.ts';

type InterviewPage = ResponseOf<typeof listInterviews>;

// Loaded when first opened: together they are larger than the page.
const QuestionsDialog = lazyPart(() => import('./questions-dialog.tsx').then((m) => m.QuestionsDialog));
const VideoDialog = lazyPart(() => import('./player/video-dialog.tsx').then((m) => m.VideoDialog), {
  failure: "Couldn't open the player",
});
const TextDialog = lazyPart(() => import('./text/text-dialog.tsx').then((m) => m.TextDialog));
const InterviewDestinationDialog = lazyPart(() =>
  import('./destination/interview-destination-dialog.tsx').then((m) => m.InterviewDestinationDialog),
);
const ExportDialog = lazyPart(() => import('./export/export-dialog.tsx').then((m) => m.ExportDialog));
const ShareDialog = lazyPart(() => import('#web/features/shares/share-dialog.tsx').then((m) => m.ShareDialog));
const SendDialog = lazyPart(() => import('#web/features/ats-pushes/send-dialog.tsx').then((m) => m.SendDialog));

interface Props {
  dialog: InterviewDialog | null;
  id: string | null;
  /** The page of interviews that is shown now. */
  listed: InterviewPage | null | undefined;
  filters: InterviewFilters;
  onClose: () => void;
}

export function InterviewDialogs({ dialog, id, listed, filters, onClose }: Props) {
  const interview = useOpenInterview(id, listed, onClose);
  if (!interview) return null;
  return (
    <>
      {dialog === 'questions' && <QuestionsDialog interview={interview} onClose={onClose} />}
      {dialog === 'video' && <VideoDialog interview={interview} filters={filters} onClose={onClose} />}
      {/* With keys: a toast may replace a text that is being edited by another one. */}
      {dialog === 'transcript' && (
        <TextDialog key={interview.id} kind="transcript" interview={interview} onClose={onClose} />
      )}
      {dialog === 'summary' && <TextDialog key={interview.id} kind="summary" interview={interview} onClose={onClose} />}
      {dialog === 'share' && <ShareDialog ids={[interview.id]} known={[interview]} onClose={onClose} />}
      {dialog === 'export' && <ExportDialog interview={interview} onClose={onClose} />}
      {dialog === 'ats' && <SendDialog interview={interview} onClose={onClose} />}
      {dialog === 'destination' && <InterviewDestinationDialog interview={interview} onClose={onClose} />}
    </>
  );
}

/**
 * The interview of the open dialog. It is fetched if it is not on the page: a link can name any
 * interview, and the end of a step can remove one from a filtered list.
 */
function useOpenInterview(id: string | null, page: InterviewPage | null | undefined, onMissing: () => void) {
  const known = useLastKnown(page?.interviews, id);
  const isListed = page?.interviews.some((interview) => interview.id === id) ?? false;
  const fetched = useQuery({
    ...interviewQuery(id ?? ''),
    enabled: id !== null && page != null && !isListed,
  });
  const error = known || !fetched.isFetchedAfterMount ? null : fetched.error;
  const handleMissing = useEffectEvent((message: string) => {
    toast({ title: 'Error', description: message, variant: 'destructive' });
    onMissing();
  });
  useEffect(() => {
    if (error) handleMissing(error.message);
  }, [error]);
  const current = isListed || fetched.isError || !fetched.isFetchedAfterMount ? known : fetched.data;
  // The cache may hold an earlier state: it is the last choice.
  return current ?? known ?? fetched.data ?? null;
}
