import { Command } from 'lucide-react';
import { singleKeyShortcuts } from '#web/lib/single-key-shortcuts.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Checkbox } from '#web/ui/forms/checkbox.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';

/** All keyboard shortcuts, grouped by where they work. */
const SHORTCUTS: { where: string; keys: { keys: string[]; does: string }[] }[] = [
  {
    where: 'Everywhere',
    keys: [
      { keys: [/Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl', 'K'], does: 'Search commands and candidates' },
      { keys: ['?'], does: 'Show these shortcuts' },
      { keys: ['Esc'], does: 'Close' },
      { keys: ['Ctrl', 'Enter'], does: 'Save while writing' },
    ],
  },
  {
    where: 'Interviews and funnels',
    keys: [
      { keys: ['/'], does: 'Search' },
      { keys: ['←', '→', '↑', '↓'], does: 'Move between interviews' },
      { keys: ['Enter'], does: 'Play the interview' },
      { keys: ['X'], does: 'Select the interview' },
      { keys: ['E'], does: 'Archive it, or all that are selected' },
      { keys: ['S'], does: 'Show or generate its summary' },
      { keys: ['D'], does: 'Set its destination, or that of all selected' },
      { keys: ['Shift', '←', '→', '↑', '↓'], does: 'Extend the selection' },
    ],
  },
  {
    where: 'Video player',
    keys: [
      { keys: ['K', 'Space'], does: 'Play or pause' },
      { keys: ['J', '←'], does: '10 seconds back' },
      { keys: ['L', '→'], does: '10 seconds forward' },
      { keys: ['<', '>'], does: 'Slower or faster' },
      { keys: ['F'], does: 'Full screen' },
      { keys: ['M'], does: 'Mute' },
      { keys: ['C'], does: 'Captions' },
      { keys: ['1', '…', '9'], does: 'Jump to answer 1–9' },
      { keys: ['N'], does: 'Done: mark as reviewed and continue' },
      { keys: ['P'], does: 'Previous interview' },
      { keys: ['E'], does: 'Archive and continue' },
      { keys: ['U', 'Z'], does: 'Undo' },
      { keys: ['S'], does: 'Generate the summary' },
      { keys: ['D'], does: 'Set the destination' },
    ],
  },
];

interface Props {
  /** Opens the command palette. Left out above another dialog, where it cannot open. */
  onCommands?: () => void;
  onClose: () => void;
}

export function ShortcutsDialog({ onCommands, onClose }: Props) {
  const { isOn } = singleKeyShortcuts.use();
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title="Keyboard shortcuts" readable>
      <div className="flex flex-col gap-5">
        {SHORTCUTS.map(({ where, keys }) => (
          <section key={where}>
            <h3 className="mb-1.5 text-sm font-medium text-muted">{where}</h3>
            <dl className="divide-y divide-line">
              {keys.map(({ keys, does }) => (
                <div key={does} className="flex items-center justify-between gap-4 py-1.5">
                  <dt>{does}</dt>
                  <dd className="flex gap-1">
                    {keys.map((key) => (
                      <kbd
                        key={key}
                        className="grid h-6 min-w-6 place-items-center rounded-sm border border-line bg-sunken px-1.5 font-sans text-xs text-muted"
                      >
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        {onCommands && (
          <Button className="self-start" onClick={onCommands}>
            <Command aria-hidden />
            Open the command palette
          </Button>
        )}
        <Checkbox
          label="Use shortcuts that are a single character"
          checked={isOn}
          onChange={(event) => singleKeyShortcuts.change({ isOn: event.target.checked })}
        />
      </div>
    </Dialog>
  );
}
