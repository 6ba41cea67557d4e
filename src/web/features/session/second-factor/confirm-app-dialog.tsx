import { useId } from 'react';
import type { SharedSecret } from '#contracts/second-factor.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FirstCodeForm } from './first-code-form.tsx';

interface Props {
  shared: SharedSecret;
  onCodes: (codes: string[]) => void;
  onClose: () => void;
}

/** Shows the secret for the app, and asks for its first code. */
export function ConfirmAppDialog({ shared, onCodes, onClose }: Props) {
  const formId = useId();
  const confirm = useAction('POST /api/user/second-factor', {
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
  });
  return (
    <Dialog
      onClose={() => confirm.isPending || onClose()}
      guardsBack={confirm.isPending}
      title="Add your authenticator app"
      size="sm"
      startAt={() => document.getElementById(formId)?.querySelector<HTMLElement>('[name=code]')}
      footer={
        <>
          <Button disabled={confirm.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" pending={confirm.isPending}>
            Turn on
          </Button>
        </>
      }
    >
      <FirstCodeForm
        id={formId}
        shared={shared}
        failure={confirm.error}
        disabled={confirm.isPending}
        onCode={(code) => confirm.mutate({ body: { code } })}
      />
    </Dialog>
  );
}
