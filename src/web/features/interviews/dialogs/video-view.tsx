import { useQuery } from '@tanstack/react-query';
import { TriangleAlert, VideoOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { getVideo, type Interview, type VideoInfo } from '#contracts/interviews.ts';
import { getTranscript, type TranscriptSegment } from '#contracts/transcripts.ts';
import { VideoPlayer } from '#web/features/interviews/dialogs/video-player.tsx';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

/** Where the video may be played from, the best place first. */
const sourcesOf = ({ hasLocalCopy, videoFile, videoUrl }: VideoInfo) =>
  [hasLocalCopy && videoFile ? `/api/files/video/${encodeURIComponent(videoFile)}` : null, videoUrl || null].filter(
    (source) => source !== null,
  );

export function VideoView({ interview }: { interview: Interview }) {
  const params = { id: interview.id };
  // A player without the transcript is still a player: nobody waits for it, or hears that it failed.
  const transcript = useQuery({
    ...endpointQuery(getTranscript, { params }),
    enabled: interview.transcriptionStatus === 'completed',
  });
  const video = useQuery({ ...endpointQuery(getVideo, { params }), retry: 1 });

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
        <p role="alert">Could not fetch video information</p>
        <Button size="sm" pending={video.isFetching} onClick={() => video.refetch()}>
          Retry
        </Button>
      </Screen>
    );
  }
  const sources = video.data ? sourcesOf(video.data) : [];
  if (sources.length === 0) {
    return (
      <Screen icon={<VideoOff />}>
        <p>Video not available</p>
      </Screen>
    );
  }
  return <VideoPlayer interview={interview} sources={sources} segments={transcript.data?.segments ?? NO_SEGMENTS} />;
}

const NO_SEGMENTS: TranscriptSegment[] = [];

/** A dark screen of the video's size with words instead of pictures. */
const Screen = ({ icon, children }: { icon?: ReactNode; children: ReactNode }) => (
  <div className="flex aspect-video w-full flex-col items-center justify-center gap-3 rounded-lg bg-sunken text-muted [&>svg]:size-6">
    {icon}
    {children}
  </div>
);
