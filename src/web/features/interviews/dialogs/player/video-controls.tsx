import { RotateCcw, RotateCw } from 'lucide-react';
import { Button } from '#web/ui/forms/button.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { JUMP_SECONDS } from './player-keys.ts';

const SPEEDS = ['0.75', '1', '1.25', '1.5', '1.75', '2'].map((value) => ({ value, label: `${value}×` }));

interface Props {
  speed: string;
  onSpeed: (speed: string) => void;
  /** Negative seconds jump back. */
  onJump: (seconds: number) => void;
}

/** Controls that the native ones lack. */
export const VideoControls = ({ speed, onSpeed, onJump }: Props) => (
  <div className="mt-3 flex items-center gap-2">
    <Button size="sm" title="J or ←" onClick={() => onJump(-JUMP_SECONDS)}>
      <RotateCcw aria-hidden />
      {JUMP_SECONDS} s<span className="sr-only"> back</span>
    </Button>
    <Button size="sm" title="L or →" onClick={() => onJump(JUMP_SECONDS)}>
      <RotateCw aria-hidden />
      {JUMP_SECONDS} s<span className="sr-only"> forward</span>
    </Button>
    <Select label="Speed" value={speed} options={SPEEDS} onChange={onSpeed} className="ml-auto w-24" />
  </div>
);
