import { type FormEvent, useId, useRef, useState } from 'react';
import { useSession } from '#web/features/session/session.ts';
import { changePassword } from '#web/lib/api.ts';
import { toast } from '#web/lib/toast.tsx';
import { useAction } from '#web/lib/use-action.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';

type Name = 'currentPassword' | 'newPassword' | 'repeated';
type Errors = Partial<Record<Name, string>>;

const FIELDS: readonly { name: Name; label: string; autoComplete: string; hint?: string }[] = [
  { name: 'currentPassword', label: 'Current password', autoComplete: 'current-password' },
  { name: 'newPassword', label: 'New password', autoComplete: 'new-password', hint: 'At least 8 characters.' },
  { name: 'repeated', label: 'New password again', autoComplete: 'new-password' },
];

/** Gives the signed-in account another password; its other browsers are signed out. */
export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const { user } = useSession({ ask: false });
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Errors>({});
  const refuse = (refused: Errors) => {
    setErrors(refused);
    const first = FIELDS.find(({ name }) => refused[name]);
    form.current?.querySelector<HTMLInputElement>(`[name=${first?.name}]`)?.focus();
  };
  const change = useAction(changePassword, {
    onSuccess: () => {
      toast({ title: 'Success', description: 'Password changed. Your other browsers are signed out.' });
      onClose();
    },
    onError: ({ message, field }) => {
      if (field === 'currentPassword' || field === 'newPassword') refuse({ [field]: message });
      else toast({ title: 'Error', description: `Failed to change the password: ${message}`, variant: 'destructive' });
    },
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const typed = (name: Name) => String(given.get(name) ?? '');
    const [currentPassword, newPassword] = [typed('currentPassword'), typed('newPassword')];
    const wrong = errorsOf({ currentPassword, newPassword, repeated: typed('repeated') });
    if (Object.keys(wrong).length > 0) refuse(wrong);
    else if (!change.isPending) {
      setErrors({});
      change.mutate({ body: { currentPassword, newPassword } });
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || change.isPending || onClose()}
      title="Change password"
      description="Your other browsers will be signed out."
      size="sm"
      footer={
        <>
          <Button disabled={change.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" pending={change.isPending}>
            Change password
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
        {/* Tells a password manager whose password it is. */}
        <input type="text" hidden readOnly autoComplete="username" value={user?.username ?? ''} />
        {FIELDS.map(({ name, label, autoComplete, hint }) => (
          <Field key={name} label={label} error={errors[name]} hint={hint} required>
            {(control) => <Input {...control} name={name} type="password" autoComplete={autoComplete} />}
          </Field>
        ))}
      </form>
    </Dialog>
  );
}

function errorsOf({ currentPassword, newPassword, repeated }: Record<Name, string>): Errors {
  return {
    ...(currentPassword === '' && { currentPassword: 'Current password is required' }),
    ...(newPassword === '' && { newPassword: 'New password is required' }),
    ...(newPassword !== '' && repeated !== newPassword && { repeated: 'This is not the same password' }),
  };
}
