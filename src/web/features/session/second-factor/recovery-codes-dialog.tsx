import { useState } from 'react';
import { useSession } from '#web/features/session/session.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { AlertDialog } from '#web/ui/overlays/alert-dialog.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';

interface Props {
  codes: readonly string[];
  /** True right after an app was confirmed. */
  isNewApp: boolean;
  onClose: () => void;
}

/** Asks before it closes, because the codes are shown only once. */
export function RecoveryCodesDialog({ codes, isNewApp, onClose }: Props) {
  const { user } = useSession({ ask: false });
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Dialog
        onClose={() => setIsAsking(true)}
        guardsBack
        title="Save your recovery codes"
        {...(isNewApp && { description: "Two-factor sign-in is on. You're signed out on other devices." })}
        size="sm"
        footer={
          <Button variant="primary" onClick={onClose}>
            I've saved them
          </Button>
        }
      >
        <RecoveryCodeList codes={codes} username={user?.username ?? ''} />
      </Dialog>
      {isAsking && (
        <AlertDialog
          guardsBack
          onClose={() => setIsAsking(false)}
          title="Did you save your codes?"
          description="You won't see them again. If you lose your phone too, only an admin can restore access."
          confirm="Close"
          cancel="Back to the codes"
          onConfirm={onClose}
        />
      )}
    </>
  );
}
