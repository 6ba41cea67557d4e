import { DropdownMenu as Radix } from 'radix-ui';
import { createContext, type ReactNode, type RefObject, useContext, useRef } from 'react';
import { cn } from '#web/lib/cn.ts';
import { landmarkOf } from '#web/ui/landmark-of.ts';

/** Hands the menu what its chosen item does. */
const ChosenContext = createContext<(action: () => void) => void>(() => {});

const ITEM =
  'flex w-full cursor-default items-center gap-2 rounded-md px-2 py-1.5 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:text-faint';

interface Props {
  button: RefObject<HTMLButtonElement | null>;
  align: 'start' | 'center' | 'end';
  children: ReactNode;
  onClose: () => void;
  className?: string | undefined;
}

/** The open panel of a `DropdownMenu`. */
export function MenuPanel({ button, align, children, onClose, className }: Props) {
  const chosen = useRef<(() => void) | null>(null);
  return (
    <Radix.Root open modal={false} onOpenChange={(open) => open || onClose()}>
      {/* The real button is outside, so that it can wait for this file; the panel is placed by a stand-in of the same size. */}
      <Radix.Trigger asChild>
        <span aria-hidden tabIndex={-1} className="pointer-events-none absolute inset-0" />
      </Radix.Trigger>
      <Radix.Portal container={landmarkOf(button.current)}>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          aria-labelledby={undefined}
          aria-label={button.current?.getAttribute('aria-label') ?? button.current?.textContent ?? undefined}
          // The button closes the menu itself; closing it here as well would open it again at once.
          onInteractOutside={(event) => {
            if (button.current?.contains(event.target as Node)) event.preventDefault();
          }}
          // The action runs once the menu is gone and the focus is back on its button: a dialog it opens can then return it there.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // A click elsewhere has already moved the focus to where the person wants it.
            if (document.activeElement === document.body) button.current?.focus();
            chosen.current?.();
          }}
          className={cn('z-50 min-w-44 animate-pop-in rounded-lg bg-raised p-1 shadow-pop outline-none', className)}
        >
          <ChosenContext value={(action) => (chosen.current = action)}>{children}</ChosenContext>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ItemProps {
  children: ReactNode;
  onSelect?: () => void;
  destructive?: boolean;
  disabled?: boolean;
  /** Gives the looks to its only child instead, such as a link. */
  asChild?: boolean;
}

export function MenuItem({ children, onSelect, destructive = false, disabled = false, asChild = false }: ItemProps) {
  const choose = useContext(ChosenContext);
  return (
    <Radix.Item
      asChild={asChild}
      disabled={disabled}
      onSelect={() => onSelect && choose(onSelect)}
      className={cn(ITEM, destructive && 'text-danger-ink [&_svg]:text-danger-ink')}
    >
      {children}
    </Radix.Item>
  );
}

interface ChoicesProps {
  label: string;
  value: string;
  choices: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

export const MenuChoices = ({ label, value, choices, onChange }: ChoicesProps) => (
  <>
    <Radix.Label className="px-2 pt-1.5 pb-1 text-xs text-faint">{label}</Radix.Label>
    <Radix.RadioGroup value={value} onValueChange={onChange}>
      {choices.map((choice) => (
        <Radix.RadioItem
          key={choice.value}
          value={choice.value}
          onSelect={(event) => event.preventDefault()}
          className={cn(ITEM, 'data-[state=checked]:font-medium')}
        >
          {choice.label}
          <Radix.ItemIndicator className="ml-auto size-1.5 rounded-full bg-accent" />
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  </>
);

export const MenuSeparator = () => <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
