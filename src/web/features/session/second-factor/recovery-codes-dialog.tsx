import { useState } from 'react';
import { RecoveryCodeList } from '#web/features/session/second-factor/recovery-code-list.tsx';
import { useSession } from '#web/features/session/session.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

interface Props {
  codes: readonly string[];
  /** They come with an app that was just confirmed. */
  areOfNewApp: boolean;
  onClose: () => void;
}

/** Codes that are shown once: what closes other dialogs by accident asks first here. */
export function RecoveryCodesDialog({ codes, areOfNewApp, onClose }: Props) {
  const { user } = useSession({ ask: false });
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Dialog
        open
        onOpenChange={(open) => open || setAsks(true)}
        title="Keep your recovery codes"
        {...(areOfNewApp && { description: 'Two-factor sign-in is on, and your other browsers are signed out.' })}
        size="sm"
        footer={
          <Button variant="primary" onClick={onClose}>
            I have kept them
          </Button>
        }
      >
        <RecoveryCodeList codes={codes} username={user?.username ?? ''} />
      </Dialog>
      {asks && (
        <AlertDialog
          open
          onOpenChange={setAsks}
          title="Have you kept the codes?"
          description="They are not shown again. Without them and without your phone, only an administrator can let you in."
          confirm="Close"
          cancel="Back to the codes"
          onConfirm={onClose}
        />
      )}
    </>
  );
}
