import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { useFieldErrors } from '#web/ui/forms/use-field-errors.ts';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';
import { CodeField } from './second-factor/code-field.tsx';
import { secondFactorQuery } from './second-factor/factor-overview.tsx';
import { useSession } from './session.ts';

type PasswordName = 'currentPassword' | 'newPassword' | 'repeated';
type Name = PasswordName | 'code';

const FIELDS: readonly { name: PasswordName; label: string; autoComplete: string; hint?: string }[] = [
  { name: 'currentPassword', label: 'Current password', autoComplete: 'current-password' },
  { name: 'newPassword', label: 'New password', autoComplete: 'new-password', hint: 'At least 8 characters.' },
  { name: 'repeated', label: 'Confirm new password', autoComplete: 'new-password' },
];

export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const { user } = useSession({ ask: false });
  const { form, errors, showErrors, showRejection, clearErrors } = useFieldErrors<Name>();
  const { data: factor } = useQuery(secondFactorQuery);
  const needsCode = factor?.confirmedAt != null;
  const change = useAction('POST /api/user/password', {
    onSuccess: () => {
      toast({ title: 'Success', description: "Password changed. You're signed out on other devices." });
      onClose();
    },
    onError: showRejection(
      needsCode ? ['currentPassword', 'newPassword', 'code'] : ['currentPassword', 'newPassword'],
      "Couldn't change the password",
    ),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    const data = new FormData(event.currentTarget);
    const typed = (name: Name) => String(data.get(name) ?? '');
    const [currentPassword, newPassword] = [typed('currentPassword'), typed('newPassword')];
    const code = typed('code').trim();
    const found = {
      ...validate({ currentPassword, newPassword, repeated: typed('repeated') }),
      ...(needsCode && code === '' && { code: 'A code is required' }),
    };
    if (Object.keys(found).length > 0) showErrors(found);
    else if (!change.isPending) {
      clearErrors();
      change.mutate({ body: { currentPassword, newPassword, ...(needsCode && { code }) } });
    }
  }

  return (
    <FormDialog
      ref={form}
      title="Change password"
      description="You'll be signed out on other devices."
      size="sm"
      action="Change password"
      pending={change.isPending}
      onSubmit={submit}
      onClose={onClose}
      className="flex flex-col gap-4"
    >
      {/* Lets a password manager match the account. */}
      <input type="text" hidden readOnly autoComplete="username" value={user?.username ?? ''} />
      {FIELDS.map(({ name, label, autoComplete, hint }) => (
        <Field key={name} label={label} error={errors[name]} hint={hint} required>
          {(control) => <Input {...control} name={name} type="password" autoComplete={autoComplete} />}
        </Field>
      ))}
      {needsCode && <CodeField error={errors.code} required />}
    </FormDialog>
  );
}

function validate({
  currentPassword,
  newPassword,
  repeated,
}: Record<PasswordName, string>): Partial<Record<Name, string>> {
  return {
    ...(currentPassword === '' && { currentPassword: 'Current password is required' }),
    ...(newPassword === '' && { newPassword: 'New password is required' }),
    ...(newPassword !== '' && repeated !== newPassword && { repeated: "Passwords don't match" }),
  };
}
