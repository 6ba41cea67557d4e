import { DropdownMenu as Radix } from 'radix-ui';
import { type ComponentProps, createContext, type ReactNode, useContext, useRef } from 'react';
import { cn } from '#web/lib/cn.ts';

/** Hands the menu what its chosen item does. */
const ChosenContext = createContext<(action: () => void) => void>(() => {});

interface Props {
  /** One button-like element. */
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  className?: string;
}

/** A menu of actions or links on a button. */
export function DropdownMenu({ trigger, children, align = 'end', className }: Props) {
  const triggerButton = useRef<HTMLButtonElement>(null);
  const chosen = useRef<(() => void) | null>(null);
  return (
    <Radix.Root>
      <Radix.Trigger asChild ref={triggerButton}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          // The action runs once the menu is gone and the focus is back on its button: a dialog it opens can then return it there.
          onCloseAutoFocus={(event) => {
            const action = chosen.current;
            if (!action) return;
            chosen.current = null;
            event.preventDefault();
            triggerButton.current?.focus();
            action();
          }}
          className={cn(
            'z-50 min-w-44 rounded-lg bg-raised p-1 shadow-pop outline-none data-[state=open]:animate-pop-in',
            className,
          )}
        >
          <ChosenContext value={(action) => (chosen.current = action)}>{children}</ChosenContext>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const ITEM =
  'flex w-full cursor-default items-center gap-2 rounded-md px-2 py-1.5 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:text-faint';

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

/** One of several choices inside a menu; the menu stays open. */
export function MenuChoices<Value extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: Value;
  choices: readonly { value: Value; label: string; icon?: ReactNode }[];
  onChange: (value: Value) => void;
}) {
  return (
    <>
      <MenuLabel>{label}</MenuLabel>
      <Radix.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
        {choices.map((choice) => (
          <Radix.RadioItem
            key={choice.value}
            value={choice.value}
            onSelect={(event) => event.preventDefault()}
            className={cn(ITEM, 'data-[state=checked]:font-medium')}
          >
            {choice.icon}
            {choice.label}
            <Radix.ItemIndicator className="ml-auto size-1.5 rounded-full bg-accent" />
          </Radix.RadioItem>
        ))}
      </Radix.RadioGroup>
    </>
  );
}

export const MenuLabel = ({ className, ...props }: ComponentProps<'div'>) => (
  <Radix.Label className={cn('px-2 pt-1.5 pb-1 text-xs text-faint', className)} {...props} />
);

export const MenuSeparator = () => <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
