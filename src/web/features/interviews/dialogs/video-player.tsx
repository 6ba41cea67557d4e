import { RotateCcw, RotateCw } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { JUMP_SECONDS } from '#web/features/interviews/dialogs/player-keys.ts';
import { TranscriptPanel } from '#web/features/interviews/dialogs/transcript-panel.tsx';
import { useDurationCorrection } from '#web/features/interviews/dialogs/use-duration-correction.ts';
import { cn } from '#web/lib/cn.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Select } from '#web/ui/select.tsx';

const SPEEDS = ['0.75', '1', '1.25', '1.5', '1.75', '2'].map((value) => ({ value, label: `${value}×` }));

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
  const video = useRef<HTMLVideoElement>(null);
  const [failures, setFailures] = useState(0);
  const [speed, setSpeed] = useState('1');
  const measure = useDurationCorrection(interview);
  const source = sources[failures];
  const attach = useCallback(
    (element: HTMLVideoElement) => {
      video.current = element;
      // React attaches twice while developing; the source must be there the second time as well.
      if (source && !element.hasAttribute('src')) element.src = source;
      return () => {
        element.pause();
        element.currentTime = 0;
        // Without a source the browser also stops loading.
        element.removeAttribute('src');
        element.load();
      };
    },
    [source],
  );
  useEffect(() => {
    if (takesFocus && document.activeElement?.role === 'tab') video.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  const seek = useCallback((seconds: number) => {
    if (video.current) video.current.currentTime = seconds;
  }, []);
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
        <div className="mt-3 flex items-center gap-2">
          <Button size="sm" title="J or ←" onClick={() => jump(-JUMP_SECONDS)}>
            <RotateCcw aria-hidden />
            10 s<span className="sr-only"> back</span>
          </Button>
          <Button size="sm" title="L or →" onClick={() => jump(JUMP_SECONDS)}>
            <RotateCw aria-hidden />
            10 s<span className="sr-only"> forward</span>
          </Button>
          <Select label="Speed" value={speed} options={SPEEDS} onChange={play} className="ml-auto w-24" />
        </div>
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
