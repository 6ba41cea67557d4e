import { RotateCcw, RotateCw } from 'lucide-react';
import { Button } from '#web/ui/forms/button.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { JUMP_SECONDS } from './player-keys.ts';
import { playerSettings, SPEEDS } from './player-settings.ts';

const OPTIONS = SPEEDS.map((value) => ({ value, label: `${value}×` }));

/** Controls that the native ones lack. `onJump` receives negative seconds to jump back. */
export function VideoControls({ onJump }: { onJump: (seconds: number) => void }) {
  const { speed } = playerSettings.use();
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      <Button title="J or ←" onClick={() => onJump(-JUMP_SECONDS)}>
        <RotateCcw aria-hidden />
        {JUMP_SECONDS} s<span className="sr-only"> back</span>
      </Button>
      <Button title="L or →" onClick={() => onJump(JUMP_SECONDS)}>
        <RotateCw aria-hidden />
        {JUMP_SECONDS} s<span className="sr-only"> forward</span>
      </Button>
      <Select
        label="Speed"
        value={speed}
        options={OPTIONS}
        onChange={(next) => playerSettings.change({ speed: next })}
        className="ml-auto w-24 max-[22rem]:w-20"
      />
    </div>
  );
}
