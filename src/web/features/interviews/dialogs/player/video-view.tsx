import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { TriangleAlert, VideoOff } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { VideoInfo } from '#contracts/interviews.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { toast } from '#web/lib/toast.ts';
import { Spinner } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { partsOf, sourcesOf, type VideoPart } from './interview-parts.ts';
import { VideoPlayer, type VideoPlayerProps } from './video-player.tsx';

/**
 * Why the video cannot be played. Null while it can, or while it loads. A failed reload does not
 * stop it.
 */
function problemOf({ isLoadingError, data }: UseQueryResult<VideoInfo | null>): string | null {
  if (isLoadingError) return 'Could not fetch video information';
  return data && sourcesOf(data).length + partsOf(data).length === 0 ? 'Video not available' : null;
}

export function VideoView(props: Omit<VideoPlayerProps, 'sources' | 'parts' | 'transcript' | 'onRetry'>) {
  const { interview, actions } = props;
  const params = { id: interview.id };
  // The player works without the transcript: it does not wait for it, and ignores a failure.
  const transcript = useQuery({
    ...endpointQuery('/api/interviews/:id/transcript', { params }),
    enabled: interview.transcriptionStatus === 'completed',
  });
  const video = useQuery({ ...endpointQuery('/api/interviews/:id/video', { params }), retry: 1 });

  const [attempt, setAttempt] = useState(1);

  const { data } = video;
  // A new array would restart the player.
  const parts = useMemo(() => (data && sourcesOf(data).length === 0 ? partsOf(data) : NO_PARTS), [data]);
  const problem = problemOf(video);
  // In addition to the text on the screen, as section 8 of the specification requires.
  useEffect(() => {
    if (problem) toast({ title: 'Error', description: problem, variant: 'destructive' });
  }, [problem]);

  if (video.isPending) {
    return (
      <Screen actions={actions}>
        <Spinner label="Loading the video" className="size-6" />
      </Screen>
    );
  }
  if (video.isLoadingError) {
    return (
      <Screen icon={<TriangleAlert />} actions={actions}>
        <p>{problem}</p>
        <Button size="sm" pending={video.isFetching} onClick={() => video.refetch()}>
          Retry
        </Button>
      </Screen>
    );
  }
  const whole = video.data ? sourcesOf(video.data) : [];
  const sources = whole.length > 0 ? whole : parts.slice(0, 1).map(({ source }) => source);
  if (problem) {
    return (
      <Screen icon={<VideoOff />} actions={actions}>
        <p>{problem}</p>
      </Screen>
    );
  }
  return (
    <VideoPlayer
      key={attempt}
      {...props}
      onRetry={() => setAttempt(attempt + 1)}
      sources={sources}
      parts={parts}
      transcript={{
        text: transcript.data?.transcriptionText ?? null,
        segments: transcript.data?.segments ?? NO_SEGMENTS,
      }}
    />
  );
}

const NO_SEGMENTS: TranscriptSegment[] = [];
const NO_PARTS: VideoPart[] = [];

/** A placeholder with the size and the look of the video, above the actions. */
const Screen = ({ icon, actions, children }: { icon?: ReactNode; actions: ReactNode; children: ReactNode }) => (
  <div className="lg:w-[calc(100%-23rem)]">
    <div className="bordered mx-auto flex aspect-video w-[min(100%,106.6dvh)] flex-col items-center justify-center gap-3 rounded-lg bg-black text-white max-sm:-mx-5 max-sm:w-auto [&>svg]:size-6">
      {icon}
      {children}
    </div>
    {/* The height of the controls. */}
    <div className="h-16.5 max-md:h-23.5" />
    {actions}
  </div>
);
