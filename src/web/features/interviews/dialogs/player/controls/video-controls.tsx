import { Captions, CaptionsOff, Maximize, Pause, Play, RotateCcw, RotateCw, Volume2, VolumeX } from 'lucide-react';
import { type ReactNode, type Ref, type RefObject, useEffect, useRef } from 'react';
import { JUMP_SECONDS } from '#web/features/interviews/dialogs/player/handle-player-key.ts';
import { playerSettings, SPEEDS } from '#web/features/interviews/dialogs/player/player-settings.ts';
import type { AnsweredQuestion } from '#web/features/interviews/dialogs/player/use-answers.ts';
import { formatDuration } from '#web/lib/format.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { SeekBar } from './seek-bar.tsx';
import { type Playback, usePlayback } from './use-playback.ts';
import { toggleCaptions, toggleFullscreen, toggleMute, togglePlay } from './video-commands.ts';

const OPTIONS = SPEEDS.map((value) => ({ value, label: `${value}×` }));

interface Props {
  video: RefObject<HTMLVideoElement | null>;
  questions: readonly AnsweredQuestion[];
  /** The moments of comments. */
  marks?: readonly number[];
  /** The length in seconds, where the video does not report it yet. */
  knownDuration: number;
  hasCaptions: boolean;
  /** Moves the focus from a tab or its panel to the play button. */
  takesFocus: boolean;
  onSeek: (seconds: number) => void;
}

/** Controls below the video. The browser's own would cover burnt-in captions. */
export function VideoControls({ video, questions, marks = [], knownDuration, hasCaptions, takesFocus, onSeek }: Props) {
  const playback = usePlayback(video);
  const { speed } = playerSettings.use();
  const play = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    element.playbackRate = Number(speed);
    // The speed of each recording that the element loads later.
    element.defaultPlaybackRate = Number(speed);
  }, [video, speed]);
  useEffect(() => {
    const isAtTab = document.activeElement?.matches('[role=tab], [role=tabpanel]') ?? false;
    if (takesFocus && isAtTab) play.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  const { seconds, isPaused } = playback;
  const duration = playback.duration || knownDuration;
  /** Runs a command on the video. */
  const run = (command: (element: HTMLVideoElement) => void) => () => video.current && command(video.current);
  const jump = (by: number) => run((element) => onSeek(element.currentTime + by));
  return (
    <div className="mt-1.5 in-[:fullscreen]:m-0 in-[:fullscreen]:bg-raised in-[:fullscreen]:px-4 in-[:fullscreen]:pb-2">
      <div className="flex items-center gap-3">
        <SeekBar questions={questions} marks={marks} seconds={seconds} duration={duration} onSeek={onSeek} />
        <span className="shrink-0 text-xs text-muted tabular-nums">
          {formatDuration(Math.floor(seconds))} / {formatDuration(Math.floor(duration))}
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-1 max-sm:gap-0">
        <Control name={isPaused ? 'Play' : 'Pause'} hint="K or Space" ref={play} onClick={run(togglePlay)}>
          {isPaused ? <Play aria-hidden className="fill-current" /> : <Pause aria-hidden className="fill-current" />}
        </Control>
        <Control name={`${JUMP_SECONDS} s back`} hint="J or ←" onClick={jump(-JUMP_SECONDS)}>
          <RotateCcw aria-hidden />
        </Control>
        <Control name={`${JUMP_SECONDS} s forward`} hint="L or →" onClick={jump(JUMP_SECONDS)}>
          <RotateCw aria-hidden />
        </Control>
        <Select
          label="Speed"
          value={speed}
          options={OPTIONS}
          onChange={(next) => playerSettings.change({ speed: next })}
          className="ml-auto w-22 max-sm:w-20"
        />
        <Volume playback={playback} onMute={run(toggleMute)} onChange={(volume) => run(louder(volume))()} />
        {hasCaptions && (
          <Control name="Captions" hint="C" aria-pressed={playback.hasCaptions} onClick={run(toggleCaptions)}>
            {playback.hasCaptions ? <Captions aria-hidden /> : <CaptionsOff aria-hidden />}
          </Control>
        )}
        <Control name="Full screen" hint="F" onClick={run(toggleFullscreen)}>
          <Maximize aria-hidden />
        </Control>
      </div>
    </div>
  );
}

const louder = (volume: number) => (video: HTMLVideoElement) => {
  video.volume = volume;
  video.muted = volume === 0;
};

interface VolumeProps {
  playback: Playback;
  onMute: () => void;
  onChange: (volume: number) => void;
}

/** Phones have buttons for the volume, browsers there cannot change it, and one row has no room. */
const Volume = ({ playback: { volume, isMuted }, onMute, onChange }: VolumeProps) => (
  <>
    <Control name={isMuted ? 'Unmute' : 'Mute'} hint="M" className="max-[26rem]:hidden" onClick={onMute}>
      {isMuted ? <VolumeX aria-hidden /> : <Volume2 aria-hidden />}
    </Control>
    <span className="relative flex h-6 w-18 items-center max-md:hidden">
      <span aria-hidden className="absolute inset-x-0 h-1 overflow-hidden rounded-full bg-control/50">
        <span
          style={{ width: `${isMuted ? 0 : volume * 100}%` }}
          className="keep-color block h-full rounded-full bg-muted"
        />
      </span>
      <input
        type="range"
        aria-label="Volume"
        aria-valuetext={`${Math.round(isMuted ? 0 : volume * 100)}%`}
        min={0}
        max={1}
        step={0.05}
        value={isMuted ? 0 : volume}
        onChange={(event) => onChange(Number(event.target.value))}
        className="slider absolute inset-0 h-full w-full rounded-sm"
      />
    </span>
  </>
);

interface ControlProps {
  name: string;
  /** The key. */
  hint: string;
  'aria-pressed'?: boolean;
  ref?: Ref<HTMLButtonElement>;
  className?: string;
  onClick: () => void;
  children: ReactNode;
}

const Control = ({ name, hint, ...props }: ControlProps) => (
  <Button variant="ghost" size="icon" aria-label={name} title={`${name} (${hint})`} {...props} />
);
