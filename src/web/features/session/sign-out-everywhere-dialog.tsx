import { AlertDialog } from '#web/ui/overlays/alert-dialog.tsx';
import { useLogoutEverywhere } from './session.ts';

export function SignOutEverywhereDialog({ onClose }: { onClose: () => void }) {
  const signOut = useLogoutEverywhere();
  return (
    <AlertDialog
      onClose={onClose}
      title="Sign out everywhere?"
      description="You'll be signed out on all devices, including this one. Unsaved changes will be lost."
      confirm="Sign out everywhere"
      destructive
      pending={signOut.isPending}
      onConfirm={() => signOut.mutate({})}
    />
  );
}
