import { useId } from 'react';
import type { SharedSecret } from '#contracts/second-factor.ts';
import { FirstCodeForm } from '#web/features/session/second-factor/first-code-form.tsx';
import { confirmSecondFactor } from '#web/lib/api.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

interface Props {
  shared: SharedSecret;
  onCodes: (codes: string[]) => void;
  onClose: () => void;
}

/** Shows the secret to the app, and takes its first code. */
export function ConfirmAppDialog({ shared, onCodes, onClose }: Props) {
  const formId = useId();
  const confirm = useAction(confirmSecondFactor, { onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes) });
  return (
    <Dialog
      open
      onOpenChange={(open) => open || confirm.isPending || onClose()}
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
