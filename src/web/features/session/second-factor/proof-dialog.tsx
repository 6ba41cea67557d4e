import type { FormEvent } from 'react';
import type { SharedSecret } from '#contracts/second-factor.ts';
import { useSession } from '#web/features/session/session.ts';
import type { ApiError } from '#web/lib/api-error.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { useFieldErrors } from '#web/ui/forms/use-field-errors.ts';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';
import { CodeField } from './code-field.tsx';

/** The change for which the user must enter the password. */
export type Purpose = 'set-up' | 'move' | 'renew' | 'off';

const PURPOSES: Record<Purpose, { title: string; description: string; submit: string }> = {
  'set-up': {
    title: 'Set up two-factor sign-in',
    description:
      "You'll enter a code from your phone each time you sign in, so a stolen password isn't enough. You'll be signed out on other devices.",
    submit: 'Continue',
  },
  move: {
    title: 'Use another app',
    description: 'Moving to a new phone? Your current app keeps working until you confirm the new one.',
    submit: 'Continue',
  },
  renew: {
    title: 'New recovery codes',
    description: 'Your current recovery codes will stop working.',
    submit: 'Generate new codes',
  },
  off: {
    title: 'Turn off two-factor sign-in',
    description: "You'll sign in with your password only. You'll be signed out on other devices.",
    submit: 'Turn off',
  },
};

interface Outcomes {
  onShared: (shared: SharedSecret) => void;
  onCodes: (codes: string[]) => void;
  onOff: () => void;
}
interface Props extends Outcomes {
  purpose: Purpose;
  onBack: () => void;
  onClose: () => void;
}

/** Asks for the password, and for a code if there is a second factor, then makes the change. */
export function ProofDialog({ purpose, onBack, onClose, ...outcomes }: Props) {
  const { title, description, submit } = PURPOSES[purpose];
  const { user } = useSession({ ask: false });
  const { form, errors, showErrors, clearErrors } = useFieldErrors<'currentPassword' | 'code'>();
  const needsCode = purpose !== 'set-up';
  const { send, isPending } = useProof(purpose, outcomes, ({ field, message }) => {
    if (field === 'currentPassword' || field === 'code') showErrors({ [field]: message });
    else toast({ title: 'Error', description: message, variant: 'destructive' });
  });

  function submitProof(event: FormEvent<HTMLFormElement>) {
    const data = new FormData(event.currentTarget);
    const currentPassword = String(data.get('currentPassword') ?? '');
    const code = String(data.get('code') ?? '').trim();
    const missing = {
      ...(currentPassword === '' && { currentPassword: 'Current password is required' }),
      ...(needsCode && code === '' && { code: 'A code is required' }),
    };
    if (Object.keys(missing).length > 0) showErrors(missing);
    else if (!isPending) {
      clearErrors();
      send({ currentPassword, code });
    }
  }

  return (
    <FormDialog
      ref={form}
      title={title}
      description={description}
      size="sm"
      action={submit}
      variant={purpose === 'off' ? 'danger' : 'primary'}
      pending={isPending}
      onSubmit={submitProof}
      onClose={onClose}
      cancel={needsCode ? 'Back' : 'Cancel'}
      onCancel={onBack}
      className="flex flex-col gap-4"
    >
      {/* Lets a password manager match the account. */}
      <input type="text" hidden readOnly autoComplete="username" value={user?.username ?? ''} />
      <Field label="Current password" error={errors.currentPassword} required>
        {(control) => <Input {...control} name="currentPassword" type="password" autoComplete="current-password" />}
      </Field>
      {needsCode && <CodeField error={errors.code} required />}
    </FormDialog>
  );
}

function useProof(purpose: Purpose, { onShared, onCodes, onOff }: Outcomes, onError: (error: ApiError) => void) {
  const begin = useAction('POST /api/user/second-factor/secret', { onSuccess: onShared, onError });
  const renew = useAction('POST /api/user/second-factor/recovery-codes', {
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
    onError,
  });
  const turnOff = useAction('POST /api/user/second-factor/off', { onSuccess: onOff, onError });
  const send = (proof: { currentPassword: string; code: string }) => {
    if (purpose === 'renew') renew.mutate({ body: proof });
    else if (purpose === 'off') turnOff.mutate({ body: proof });
    else begin.mutate({ body: purpose === 'move' ? proof : { currentPassword: proof.currentPassword } });
  };
  return { send, isPending: begin.isPending || renew.isPending || turnOff.isPending };
}
