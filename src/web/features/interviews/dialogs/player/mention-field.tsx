import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { MAX_COMMENT_LENGTH } from '#contracts/rules/limits.ts';
import { type BegunMention, findBegunMention } from '#contracts/rules/mentions.ts';
import { cn } from '#web/lib/cn.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { ListOption, useChosenOption } from '#web/ui/forms/list-option.tsx';

interface Props {
  label: string;
  interviewId: string;
  value: string;
  onChange: (text: string) => void;
  readOnly: boolean;
  /** Takes the focus, and has its list below. Otherwise the list is above the field. */
  isEdit: boolean;
}

/**
 * A text field that completes `@name` with colleagues who see the interview. Follows the combobox
 * pattern of the ARIA Authoring Practices: the focus stays in the field.
 */
export function MentionField({ label, interviewId, value, onChange, readOnly, isEdit }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { mention, moveCaret, close } = useBegunMention(interviewId, value);
  const names = mention?.names ?? [];
  const option = useChosenOption(names.length);
  const complete = (name: string) => {
    if (!mention || !field.current) return;
    const before = `${value.slice(0, mention.at)}@${name} `;
    const after = value.slice(field.current.selectionStart).replace(/^ /, '');
    close();
    flushSync(() => onChange(before + after));
    field.current.setSelectionRange(before.length, before.length);
    moveCaret(before.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!mention || event.nativeEvent.isComposing) return;
    const name = names[option.at];
    if ((event.key === 'Enter' || event.key === 'Tab') && name !== undefined) complete(name);
    else if (event.key === 'Escape') close();
    else if (!option.move(event)) return;
    event.preventDefault();
  };
  return (
    <div className="relative">
      <textarea
        ref={field}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={mention !== null}
        aria-controls={option.listId}
        aria-activedescendant={option.activeId}
        placeholder="Comment on this moment. @name mentions a colleague."
        value={value}
        readOnly={readOnly}
        // biome-ignore lint/a11y/noAutofocus: the user has pressed Edit
        autoFocus={isEdit}
        maxLength={MAX_COMMENT_LENGTH}
        rows={2}
        onChange={(event) => {
          onChange(event.target.value);
          moveCaret(event.target.selectionStart);
          option.choose(0);
        }}
        onSelect={(event) => moveCaret(event.currentTarget.selectionStart)}
        onBlur={close}
        onKeyDown={onKeyDown}
        className="w-full rounded-md border border-control bg-surface px-2.5 py-1.5 text-sm text-ink"
      />
      <Names names={names} option={option} isBelow={isEdit} onPick={complete} />
    </div>
  );
}

/** The mention before the caret, until it is closed. */
function useBegunMention(interviewId: string, text: string) {
  const [caret, setCaret] = useState(0);
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const { data } = useQuery({
    ...endpointQuery('/api/interviews/:id/colleagues', { params: { id: interviewId } }),
    enabled: text.includes('@'),
  });
  const begun: BegunMention | null = findBegunMention(text, caret, data ?? []);
  if (closedAt !== null && text[closedAt] !== '@') setClosedAt(null);
  return {
    mention: begun && begun.at !== closedAt ? begun : null,
    moveCaret: setCaret,
    close: () => setClosedAt(begun?.at ?? closedAt),
  };
}

interface NamesProps {
  names: readonly string[];
  option: ReturnType<typeof useChosenOption>;
  isBelow: boolean;
  onPick: (name: string) => void;
}

const Names = ({ names, option, isBelow, onPick }: NamesProps) => (
  <div
    id={option.listId}
    role="listbox"
    aria-label="Colleagues"
    hidden={names.length === 0}
    className={cn(
      'absolute inset-x-0 z-10 max-h-40 overflow-y-auto rounded-lg bg-raised p-1 shadow-pop',
      isBelow ? 'top-full' : 'bottom-full mb-1',
    )}
  >
    {names.map((name, index) => (
      <ListOption
        key={name}
        {...option.propsOf(index)}
        onPick={() => onPick(name)}
        className="truncate text-sm max-md:py-3"
      >
        {name}
      </ListOption>
    ))}
  </div>
);
