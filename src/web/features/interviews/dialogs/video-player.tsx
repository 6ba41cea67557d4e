import { RotateCcw, RotateCw } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { useDurationCorrection } from '#web/features/interviews/dialogs/use-duration-correction.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Select } from '#web/ui/select.tsx';

const JUMP_SECONDS = 10;
const SPEEDS = ['0.75', '1', '1.25', '1.5', '1.75', '2'].map((value) => ({ value, label: `${value}×` }));

interface Props {
  interview: Interview;
  /** At least one; the next is tried when one cannot be played. */
  sources: readonly string[];
}

/** Section 2 of the specification: no download, no picture-in-picture, no context menu; closing pauses and resets. */
export function VideoPlayer({ interview, sources }: Props) {
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
  const jump = (seconds: number) => {
    if (video.current) video.current.currentTime += seconds;
  };
  const play = (rate: string) => {
    setSpeed(rate);
    if (video.current) video.current.playbackRate = Number(rate);
  };
  if (!source) return <Alert tone="danger" title="This video cannot be played." />;
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: the interview service delivers none; the transcript is beside it */}
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
      />
      <div className="mt-3 flex items-center gap-2">
        <Button size="sm" onClick={() => jump(-JUMP_SECONDS)}>
          <RotateCcw aria-hidden />
          10 s<span className="sr-only"> back</span>
        </Button>
        <Button size="sm" onClick={() => jump(JUMP_SECONDS)}>
          <RotateCw aria-hidden />
          10 s<span className="sr-only"> forward</span>
        </Button>
        <Select label="Speed" value={speed} options={SPEEDS} onChange={play} className="ml-auto w-24" />
      </div>
    </>
  );
}
