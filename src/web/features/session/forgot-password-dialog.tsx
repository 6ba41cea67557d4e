import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

export function ForgotPasswordDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Forgot password?"
      description="An administrator can set a new one for you."
      size="sm"
      footer={
        <Button variant="primary" onClick={onClose}>
          Got it
        </Button>
      }
    >
      <p className="text-muted">On the machine that runs this application, the administrator enters:</p>
      <pre className="mt-3 overflow-x-auto rounded-lg bg-sunken px-3 py-2.5 font-mono text-sm">
        npm run user -- password NAME
      </pre>
    </Dialog>
  );
}
