import { useQuery } from '@tanstack/react-query';
import { TriangleAlert, VideoOff } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import type { Interview, VideoInfo } from '#contracts/interviews.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { VideoPlayer } from '#web/features/interviews/dialogs/video-player.tsx';
import { getTranscript, getVideo } from '#web/lib/api.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { toast } from '#web/lib/toast.tsx';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

/** Where the video may be played from, the best place first. */
const sourcesOf = ({ hasLocalCopy, videoFile, videoUrl }: VideoInfo) =>
  [hasLocalCopy && videoFile ? `/api/files/video/${encodeURIComponent(videoFile)}` : null, videoUrl || null].filter(
    (source) => source !== null,
  );

/** Why there is nothing to play; null while there is, or may be. */
function problemOf({ isError, data }: { isError: boolean; data: VideoInfo | null | undefined }): string | null {
  if (isError) return 'Could not fetch video information';
  return data && sourcesOf(data).length === 0 ? 'Video not available' : null;
}

interface Props {
  interview: Interview;
  /** The dialog has just opened: nobody is on their way through its tabs. */
  takesFocus: boolean;
}

export function VideoView({ interview, takesFocus }: Props) {
  const params = { id: interview.id };
  // A player without the transcript is still a player: nobody waits for it, or hears that it failed.
  const transcript = useQuery({
    ...endpointQuery(getTranscript, { params }),
    enabled: interview.transcriptionStatus === 'completed',
  });
  const video = useQuery({ ...endpointQuery(getVideo, { params }), retry: 1 });

  const problem = problemOf(video);
  // Beside the words on the screen, as section 8 of the specification has it.
  useEffect(() => {
    if (problem) toast({ title: 'Error', description: problem, variant: 'destructive' });
  }, [problem]);

  if (video.isPending) {
    return (
      <Screen>
        <Spinner label="Loading the video" className="size-6" />
      </Screen>
    );
  }
  if (video.isError) {
    return (
      <Screen icon={<TriangleAlert />}>
        <p>{problem}</p>
        <Button size="sm" pending={video.isFetching} onClick={() => video.refetch()}>
          Retry
        </Button>
      </Screen>
    );
  }
  const sources = video.data ? sourcesOf(video.data) : [];
  if (problem) {
    return (
      <Screen icon={<VideoOff />}>
        <p>{problem}</p>
      </Screen>
    );
  }
  return (
    <VideoPlayer
      interview={interview}
      sources={sources}
      segments={transcript.data?.segments ?? NO_SEGMENTS}
      takesFocus={takesFocus}
    />
  );
}

const NO_SEGMENTS: TranscriptSegment[] = [];

/** A dark screen of the video's size with words instead of pictures. */
const Screen = ({ icon, children }: { icon?: ReactNode; children: ReactNode }) => (
  <div className="flex aspect-video w-full flex-col items-center justify-center gap-3 rounded-lg bg-sunken text-muted [&>svg]:size-6">
    {icon}
    {children}
  </div>
);
