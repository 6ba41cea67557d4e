import { type KeyboardEvent, useId, useState } from 'react';
import { MAX_SEARCH_LENGTH } from '#contracts/rules/limits.ts';
import { formatCount } from '#web/lib/format.ts';
import { Input } from '#web/ui/forms/input.tsx';
import { ListOption, useChosenOption } from '#web/ui/forms/list-option.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { useCandidates } from './use-candidates.ts';
import { type Command, isFound, useCommands } from './use-commands.ts';

/**
 * Finds screens, candidates and actions by typing. Follows the combobox pattern of the ARIA
 * Authoring Practices: the focus stays in the field.
 */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const id = useId();
  const [text, setText] = useState('');
  const { candidates, isSearching } = useCandidates(text);
  const found = useCommands(onClose).filter((command) => isFound(command, text.trim()));
  const options = [...found, ...candidates];
  const { at, listId, activeId, choose, move, propsOf } = useChosenOption(options.length);

  const onKeyDown = (event: KeyboardEvent) => {
    const isEnter = event.key === 'Enter' && !event.nativeEvent.isComposing;
    if (isEnter || (move(event) && options.length > 0)) event.preventDefault();
    if (isEnter) options[at]?.run();
  };
  return (
    <Dialog
      onClose={onClose}
      title="Commands"
      className="flex flex-col gap-2"
      startAt={() => document.getElementById(id)}
    >
      <Input
        id={id}
        className="max-[22rem]:placeholder:text-sm"
        role="combobox"
        aria-label="Search commands and candidates"
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        placeholder="Search commands and candidates..."
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_SEARCH_LENGTH}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          choose(0);
        }}
        onKeyDown={onKeyDown}
      />
      {/* The list has a fixed height, so that the field does not move. */}
      <div id={listId} role="listbox" aria-label="Commands" className="h-80 max-h-[50dvh] overflow-y-auto">
        {groupsOf(options).map(({ group, from, commands }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox
          <div key={group} role="group" aria-labelledby={`${id}-group-${from}`}>
            <p id={`${id}-group-${from}`} role="presentation" className="px-2 pt-2 pb-1 text-xs text-muted">
              {group}
            </p>
            {commands.map((command, index) => (
              <ListOption
                key={command.id}
                {...propsOf(from + index)}
                onPick={command.run}
                className="flex items-center gap-2 py-2"
              >
                <span className="max-w-full shrink-0 truncate">{command.label}</span>
                {command.hint && <span className="min-w-0 truncate text-sm text-muted">{command.hint}</span>}
              </ListOption>
            ))}
          </div>
        ))}
      </div>
      <p role="status" className="px-2 text-xs text-muted">
        {isSearching ? 'Searching...' : formatCount(options.length, 'result')}
      </p>
    </Dialog>
  );
}

/** Groups consecutive commands. `from` is the index of a group's first command in `options`. */
function groupsOf(options: readonly Command[]): { group: string; from: number; commands: Command[] }[] {
  const groups: { group: string; from: number; commands: Command[] }[] = [];
  for (const [index, command] of options.entries()) {
    const last = groups.at(-1);
    if (last?.group === command.group) last.commands.push(command);
    else groups.push({ group: command.group, from: index, commands: [command] });
  }
  return groups;
}
