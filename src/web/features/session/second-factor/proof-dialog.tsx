import { type FormEvent, useId, useRef, useState } from 'react';
import type { SharedSecret } from '#contracts/second-factor.ts';
import { CodeField } from '#web/features/session/second-factor/code-field.tsx';
import { PURPOSES, type Purpose } from '#web/features/session/second-factor/purposes.ts';
import { useSession } from '#web/features/session/session.ts';
import { beginSecondFactor, renewRecoveryCodes, turnOffSecondFactor } from '#web/lib/api.ts';
import type { ApiError } from '#web/lib/api-error.ts';
import { toast } from '#web/lib/toast.tsx';
import { useAction } from '#web/lib/use-action.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';

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
type Errors = Partial<Record<'currentPassword' | 'code', string>>;

/** Asks for the password, and for a code where there is a second factor already, and does what it is for. */
export function ProofDialog({ purpose, onBack, onClose, ...outcomes }: Props) {
  const { title, description, submit } = PURPOSES[purpose];
  const { user } = useSession({ ask: false });
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Errors>({});
  const withCode = purpose !== 'set-up';
  const refuse = (refused: Errors) => {
    setErrors(refused);
    const first = refused.currentPassword ? 'currentPassword' : 'code';
    form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
  };
  const { send, isPending } = useProof(purpose, outcomes, ({ field, message }) => {
    if (field === 'currentPassword' || field === 'code') refuse({ [field]: message });
    else toast({ title: 'Error', description: message, variant: 'destructive' });
  });

  function prove(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const currentPassword = String(given.get('currentPassword') ?? '');
    const code = String(given.get('code') ?? '').trim();
    const wrong = {
      ...(currentPassword === '' && { currentPassword: 'Current password is required' }),
      ...(withCode && code === '' && { code: 'A code is required' }),
    };
    if (Object.keys(wrong).length > 0) refuse(wrong);
    else if (!isPending) {
      setErrors({});
      send({ currentPassword, code });
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || isPending || onClose()}
      title={title}
      description={description}
      size="sm"
      startAt={() => form.current?.querySelector<HTMLElement>('[name=currentPassword]')}
      footer={
        <>
          <Button disabled={isPending} onClick={onBack}>
            {withCode ? 'Back' : 'Cancel'}
          </Button>
          <Button type="submit" form={formId} variant={purpose === 'off' ? 'danger' : 'primary'} pending={isPending}>
            {submit}
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} onSubmit={prove} noValidate className="flex flex-col gap-4">
        {/* Tells a password manager whose password it is. */}
        <input type="text" hidden readOnly autoComplete="username" value={user?.username ?? ''} />
        <Field label="Current password" error={errors.currentPassword} required>
          {(control) => <Input {...control} name="currentPassword" type="password" autoComplete="current-password" />}
        </Field>
        {withCode && <CodeField error={errors.code} required />}
      </form>
    </Dialog>
  );
}

function useProof(purpose: Purpose, { onShared, onCodes, onOff }: Outcomes, onError: (error: ApiError) => void) {
  const begin = useAction(beginSecondFactor, { onSuccess: onShared, onError });
  const renew = useAction(renewRecoveryCodes, { onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes), onError });
  const turnOff = useAction(turnOffSecondFactor, { onSuccess: onOff, onError });
  const send = (proof: { currentPassword: string; code: string }) => {
    if (purpose === 'renew') renew.mutate({ body: proof });
    else if (purpose === 'off') turnOff.mutate({ body: proof });
    else begin.mutate({ body: purpose === 'move' ? proof : { currentPassword: proof.currentPassword } });
  };
  return { send, isPending: begin.isPending || renew.isPending || turnOff.isPending };
}
