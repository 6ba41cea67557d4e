import { Check, type LucideIcon } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { createContext, type ReactNode, useContext, useRef, useState } from 'react';
import { cn } from '#web/lib/cn.ts';
import { hasFocusMoved, landmarkOf } from './modal.tsx';

const ITEM =
  'flex w-full cursor-default items-center gap-2 rounded-md px-2 py-1.5 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:text-faint';

const SelectContext = createContext<(action: () => void) => void>(() => {});

interface Props {
  /** One button-like element. */
  trigger: ReactNode;
  /** `MenuItem`, `MenuChoices`, `MenuNote`, `MenuSeparator`. */
  children: ReactNode;
  align?: 'start' | 'end';
  className?: string;
}

/** A menu of actions or links on a button. */
export function DropdownMenu({ trigger, children, align = 'end', className }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [container, setContainer] = useState<HTMLElement | null>(null);
  const selected = useRef<(() => void) | null>(null);
  const select = (action: () => void) => {
    selected.current = action;
    // While the item still exists. Once it is removed, browsers show a focus ring for mouse users
    // too.
    button.current?.focus();
  };
  return (
    <Radix.Root modal={false} onOpenChange={() => setContainer(landmarkOf(button.current))}>
      <Radix.Trigger asChild ref={button}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal container={container}>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          // An action runs after the menu has closed, with the focus on the trigger, so that a
          // dialog opened by the action returns the focus there as well.
          onCloseAutoFocus={(event) => {
            const action = selected.current;
            selected.current = null;
            if (action || hasFocusMoved(button.current)) event.preventDefault();
            action?.();
          }}
          className={cn(
            'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 overflow-y-auto data-[state=open]:animate-pop-in data-[state=closed]:animate-fade-out rounded-lg bg-raised p-1 shadow-pop outline-none',
            className,
          )}
        >
          <SelectContext value={select}>{children}</SelectContext>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ItemProps {
  icon?: LucideIcon;
  label?: string;
  /** In place of `icon` and `label`. */
  children?: ReactNode;
  onSelect?: () => void;
  destructive?: boolean;
  disabled?: boolean;
  /** Styles its only child, such as a link. */
  asChild?: boolean;
}

/** An action or, with `asChild`, a link. */
export function MenuItem({ icon: Icon, label, children, onSelect, destructive, ...props }: ItemProps) {
  const select = useContext(SelectContext);
  return (
    <Radix.Item
      {...props}
      onSelect={() => onSelect && select(onSelect)}
      className={cn(ITEM, destructive && 'text-danger-ink [&_svg]:text-danger-ink')}
    >
      {children ?? (
        <>
          {Icon && <Icon aria-hidden />}
          {label}
        </>
      )}
    </Radix.Item>
  );
}

interface ChoicesProps {
  label: string;
  value: string;
  choices: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  /** Closes the menu after a choice. By default it stays open. */
  closes?: boolean;
}

/** One of several choices inside a menu. */
export const MenuChoices = ({ label, value, choices, onChange, closes = false }: ChoicesProps) => (
  <>
    <Radix.Label className="px-2 pt-1.5 pb-1 text-xs text-faint">{label}</Radix.Label>
    <Radix.RadioGroup value={value} onValueChange={onChange}>
      {choices.map((choice) => (
        <Radix.RadioItem
          key={choice.value}
          value={choice.value}
          onSelect={(event) => closes || event.preventDefault()}
          className={cn(ITEM, 'data-[state=checked]:font-medium')}
        >
          {/* Aligned with the icons of the other items. */}
          <span className="size-4 shrink-0">
            <Radix.ItemIndicator>
              <Check aria-hidden />
            </Radix.ItemIndicator>
          </span>
          <span className="min-w-0 truncate">{choice.label}</span>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  </>
);

/** A line that explains the items above it. */
export const MenuNote = ({ children }: { children: string }) => (
  <Radix.Label className="px-2 pt-1 pb-1.5 text-xs text-faint">{children}</Radix.Label>
);

export const MenuSeparator = () => <Radix.Separator className="-mx-1 my-1 border-t border-line" />;
