import { type ComponentProps, type FormEvent, type ReactNode, type Ref, useId } from 'react';
import { Button } from '#web/ui/forms/button.tsx';
import { Dialog } from './dialog.tsx';

type DialogProps = Omit<ComponentProps<typeof Dialog>, 'footer' | 'startAt' | 'className'>;

interface Props extends DialogProps {
  /** Receives the form, for example to focus a field with an error. */
  ref?: Ref<HTMLFormElement>;
  /** Labels the button that submits. */
  action: string;
  variant?: 'primary' | 'danger';
  /** While the form is being saved, the dialog stays open. */
  pending: boolean;
  /** Something is missing that the form needs. */
  disabled?: boolean;
  /** Receives the event after its default action was prevented. */
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onClose: () => void;
  /** Labels the other button. */
  cancel?: string;
  /** Called by that button. Default: `onClose` */
  onCancel?: () => void;
  /** Returns the element to focus first. Default: the first field */
  startAt?: (form: HTMLFormElement) => HTMLElement | null | undefined;
  /** Above the form. */
  above?: ReactNode;
  /** Classes of the form. */
  className?: string;
  autoComplete?: 'off';
}

const firstField = (form: HTMLFormElement) => form.querySelector<HTMLElement>('input:not([hidden]), select, textarea');

/** A dialog with a form, which its last button submits. */
export function FormDialog({
  ref,
  action,
  variant = 'primary',
  pending,
  disabled = false,
  onSubmit,
  onClose,
  cancel = 'Cancel',
  onCancel = onClose,
  startAt = firstField,
  above,
  className,
  autoComplete,
  guardsBack = false,
  children,
  ...dialog
}: Props) {
  const id = useId();
  return (
    <Dialog
      {...dialog}
      onClose={() => pending || onClose()}
      guardsBack={guardsBack || pending}
      startAt={() => {
        const form = document.getElementById(id);
        return form instanceof HTMLFormElement ? startAt(form) : null;
      }}
      footer={
        <>
          <Button disabled={pending} onClick={onCancel}>
            {cancel}
          </Button>
          <Button type="submit" form={id} variant={variant} pending={pending} disabled={disabled}>
            {action}
          </Button>
        </>
      }
    >
      {above}
      <form
        id={id}
        ref={ref}
        noValidate
        autoComplete={autoComplete}
        className={className}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(event);
        }}
      >
        {children}
      </form>
    </Dialog>
  );
}
