import { AlertDialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { cn } from '#web/lib/cn.ts';
import { useBackGuard } from '#web/lib/use-dialog.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { DIALOG_PANEL, Scrim, useReturnFocus } from './modal.tsx';

interface Props {
  open?: boolean;
  onClose: () => void;
  title: string;
  description: ReactNode;
  /** The label of the button that confirms. */
  confirm: string;
  cancel?: string;
  destructive?: boolean;
  pending?: boolean;
  /** Back closes this dialog and nothing else. Set it above another dialog. */
  guardsBack?: boolean;
  /** Shown above the buttons. */
  children?: ReactNode;
  /** False while something above the buttons is missing. */
  canConfirm?: boolean;
  /** The dialog stays open until the caller closes it, so that users can retry after a failure. */
  onConfirm: () => void;
}

/** Asks before something that cannot be undone. The focus starts on Cancel. */
export function AlertDialog({
  open = true,
  onClose,
  title,
  description,
  confirm,
  cancel = 'Cancel',
  destructive = false,
  pending = false,
  guardsBack = false,
  children,
  canConfirm = true,
  onConfirm,
}: Props) {
  const focus = useReturnFocus();
  const close = () => pending || onClose();
  useBackGuard(open && guardsBack, close);
  const cancelButton = useRef<HTMLButtonElement>(null);
  return (
    <Radix.Root open={open} onOpenChange={close}>
      <Radix.Portal>
        <Scrim className="z-50" />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            focus.remember();
            event.preventDefault();
            cancelButton.current?.focus();
          }}
          onCloseAutoFocus={focus.restore}
          className={cn(DIALOG_PANEL, 'max-w-md overflow-y-auto p-5 sm:p-6')}
        >
          <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
          <Radix.Description className="mt-2 break-words text-muted">{description}</Radix.Description>
          {children}
          <div className="mt-6 flex flex-wrap justify-end gap-2">
            <Radix.Cancel asChild>
              <Button ref={cancelButton} disabled={pending}>
                {cancel}
              </Button>
            </Radix.Cancel>
            <Button
              variant={destructive ? 'danger' : 'primary'}
              pending={pending}
              disabled={!canConfirm}
              onClick={onConfirm}
            >
              {confirm}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
