import { Button } from '#web/ui/forms/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';

export function ForgotPasswordDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      onClose={onClose}
      title="Forgot password?"
      description="An admin can set a new password for you."
      size="sm"
      footer={
        <Button variant="primary" onClick={onClose}>
          Got it
        </Button>
      }
    >
      <p className="text-muted">Ask them to run this on the server:</p>
      <pre className="bordered mt-3 overflow-x-auto rounded-lg bg-sunken px-3 py-2.5 font-mono text-sm">
        npm run user -- password NAME
      </pre>
    </Dialog>
  );
}
