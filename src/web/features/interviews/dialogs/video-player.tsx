import { useCallback, useEffect, useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { TranscriptPanel } from '#web/features/interviews/dialogs/transcript-panel.tsx';
import { useAttachedVideo } from '#web/features/interviews/dialogs/use-attached-video.ts';
import { useDurationCorrection } from '#web/features/interviews/dialogs/use-duration-correction.ts';
import { VideoControls } from '#web/features/interviews/dialogs/video-controls.tsx';
import { cn } from '#web/lib/cn.ts';
import { Alert } from '#web/ui/alert.tsx';

interface Props {
  interview: Interview;
  /** At least one; the next is tried when one cannot be played. */
  sources: readonly string[];
  /** What is said when; empty while no times are known. */
  segments: readonly TranscriptSegment[];
  /** From the tab on which the dialog has put it: there, arrows would turn to the next tab instead of jumping. */
  takesFocus: boolean;
}

/** Section 2 of the specification: no download, no picture-in-picture, no context menu; closing pauses and resets. */
export function VideoPlayer({ interview, sources, segments, takesFocus }: Props) {
  const [failures, setFailures] = useState(0);
  const [speed, setSpeed] = useState('1');
  const measure = useDurationCorrection(interview);
  const source = sources[failures];
  const { video, attach } = useAttachedVideo(source);
  useEffect(() => {
    if (takesFocus && document.activeElement?.role === 'tab') video.current?.focus({ preventScroll: true });
  }, [takesFocus, video]);
  // The same function at every render: the lines of the transcript are not drawn again.
  const seek = useCallback(
    (seconds: number) => {
      if (video.current) video.current.currentTime = seconds;
    },
    [video],
  );
  const jump = (seconds: number) => seek((video.current?.currentTime ?? 0) + seconds);
  const play = (rate: string) => {
    setSpeed(rate);
    if (video.current) video.current.playbackRate = Number(rate);
  };
  if (!source) return <Alert tone="danger" title="This video cannot be played." />;
  const hasTranscript = segments.length > 0;
  return (
    <div className={cn(hasTranscript && 'grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]')}>
      <div>
        {/* biome-ignore lint/a11y/useMediaCaption: there are captions as soon as there is a transcript with times */}
        <video
          key={source}
          ref={attach}
          src={source}
          controls
          controlsList="nodownload"
          disablePictureInPicture
          onContextMenu={(event) => event.preventDefault()}
          autoPlay
          playsInline
          preload="metadata"
          aria-label={interview.title}
          onLoadedMetadata={(event) => {
            event.currentTarget.playbackRate = Number(speed);
            measure(event.currentTarget.duration);
          }}
          onDurationChange={(event) => measure(event.currentTarget.duration)}
          onError={() => setFailures(failures + 1)}
          className="aspect-video max-h-[60dvh] w-full rounded-lg bg-black object-contain"
        >
          {hasTranscript && (
            <track
              kind="captions"
              label="Transcript"
              src={`/api/interviews/${encodeURIComponent(interview.id)}/transcript.vtt`}
            />
          )}
        </video>
        <VideoControls speed={speed} onSpeed={play} onJump={jump} />
      </div>
      {hasTranscript && (
        // The video gives the row its height, and the list scrolls within it.
        <div className="relative min-h-0">
          <div className="flex flex-col lg:absolute lg:inset-0">
            <TranscriptPanel key={source} video={video} segments={segments} onSeek={seek} />
          </div>
        </div>
      )}
    </div>
  );
}
