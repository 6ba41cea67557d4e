import { Command } from 'lucide-react';
import { DASHBOARD_KEYS, ITEM_KEYS, LIST_KEYS, SHELL_KEYS, type Shortcut, WRITING_KEYS } from '#web/lib/keys.ts';
import { type RestrictedRoute, useMay } from '#web/lib/may.ts';
import { nameOfKey, PLAYER_KEYS, VIDEO_KEYS } from '#web/lib/player-keys.ts';
import { singleKeyShortcuts } from '#web/lib/single-key-shortcuts.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Checkbox } from '#web/ui/forms/checkbox.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';

/** All keyboard shortcuts, grouped by where they work. */
const SHORTCUTS: { where: string; shortcuts: readonly Shortcut[] }[] = [
  { where: 'Everywhere', shortcuts: Object.values({ ...SHELL_KEYS, ...WRITING_KEYS }) },
  { where: 'Interviews', shortcuts: Object.values({ ...LIST_KEYS, ...DASHBOARD_KEYS, ...ITEM_KEYS }) },
  { where: 'Video player', shortcuts: Object.values({ ...VIDEO_KEYS, ...PLAYER_KEYS }) },
];

interface Limit {
  needs: RestrictedRoute;
  /** The label for users who may not make the call. Default: the shortcut is hidden. */
  otherwise?: string;
}

const LIMITED: ReadonlyMap<Shortcut, Limit> = new Map<Shortcut, Limit>([
  [WRITING_KEYS.save, { needs: 'PUT /api/interviews/:id/transcript' }],
  [ITEM_KEYS.archive, { needs: 'POST /api/interviews/:id/archive' }],
  [ITEM_KEYS.summarize, { needs: 'POST /api/interviews/:id/summarize', otherwise: 'Show its summary' }],
  [ITEM_KEYS.setDestination, { needs: 'POST /api/interviews/:id/destination' }],
  [ITEM_KEYS.share, { needs: 'POST /api/shares' }],
  [PLAYER_KEYS.share, { needs: 'POST /api/shares' }],
  [PLAYER_KEYS.archive, { needs: 'POST /api/interviews/:id/archive' }],
  [PLAYER_KEYS.summary, { needs: 'POST /api/interviews/:id/summarize', otherwise: 'Show the summary' }],
  [PLAYER_KEYS.destination, { needs: 'POST /api/interviews/:id/destination' }],
]);

const MODIFIERS = { Mod: /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl', Shift: 'Shift' };
/** More keys are shown as the first and the last of them. */
const MAX_SHOWN = 4;

function namesOf({ keys, modifier }: Shortcut): string[] {
  const names = keys.map(nameOfKey);
  const shown = names.length > MAX_SHOWN ? [...names.slice(0, 1), '…', ...names.slice(-1)] : names;
  return [...(modifier ? [MODIFIERS[modifier]] : []), ...shown];
}

interface Props {
  /** Opens the command palette. Left out above another dialog, where it cannot open. */
  onCommands?: () => void;
  onClose: () => void;
}

export function ShortcutsDialog({ onCommands, onClose }: Props) {
  const { isOn } = singleKeyShortcuts.use();
  const may = useMay();
  const explain = (shortcut: Shortcut) => {
    const limit = LIMITED.get(shortcut);
    return !limit || may(limit.needs) ? shortcut.does : limit.otherwise;
  };
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts" readable>
      <div className="flex flex-col gap-5">
        {SHORTCUTS.map(({ where, shortcuts }) => (
          <section key={where}>
            <h3 className="mb-1.5 text-sm font-medium text-muted">{where}</h3>
            <dl className="divide-y divide-line">
              {shortcuts.filter(explain).map((shortcut) => (
                <div key={shortcut.does} className="flex items-center justify-between gap-4 py-1.5">
                  <dt>{explain(shortcut)}</dt>
                  <dd className="flex gap-1">
                    {namesOf(shortcut).map((key) => (
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
          label="Single-key shortcuts"
          checked={isOn}
          onChange={(event) => singleKeyShortcuts.change({ isOn: event.target.checked })}
        />
      </div>
    </Dialog>
  );
}
