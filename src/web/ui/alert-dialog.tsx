import { AlertDialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { cn } from '#web/lib/cn.ts';
import { Button } from '#web/ui/button.tsx';
import { DIALOG_PANEL } from '#web/ui/dialog-looks.ts';
import { Scrim } from '#web/ui/scrim.tsx';
import { useCloseOnBack } from '#web/ui/use-close-on-back.ts';
import { useReturnFocus } from '#web/ui/use-return-focus.ts';

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  /** The words on the button that goes on. */
  confirm: string;
  cancel?: string;
  destructive?: boolean;
  pending?: boolean;
  /** The dialog stays open until the caller closes it, so that a failure can be tried again. */
  onConfirm: () => void;
}

/** Asks before something that cannot be taken back. The focus starts on Cancel. */
export function AlertDialog({
  open,
  onOpenChange,
  title,
  description,
  confirm,
  cancel = 'Cancel',
  destructive = false,
  pending = false,
  onConfirm,
}: Props) {
  const focus = useReturnFocus();
  const change = (next: boolean) => pending || onOpenChange(next);
  useCloseOnBack(open, () => change(false));
  const cancelButton = useRef<HTMLButtonElement>(null);
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Portal>
        {/* Also above the dialog that asks, not only above the page. */}
        <Scrim className="z-50" />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            focus.remember();
            event.preventDefault();
            cancelButton.current?.focus();
          }}
          onCloseAutoFocus={focus.giveBack}
          className={cn(DIALOG_PANEL, 'max-w-md p-5 sm:p-6')}
        >
          <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
          <Radix.Description className="mt-2 break-words text-muted">{description}</Radix.Description>
          <div className="mt-6 flex flex-wrap justify-end gap-2">
            <Radix.Cancel asChild>
              <Button ref={cancelButton} disabled={pending}>
                {cancel}
              </Button>
            </Radix.Cancel>
            <Button variant={destructive ? 'danger' : 'primary'} pending={pending} onClick={onConfirm}>
              {confirm}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
