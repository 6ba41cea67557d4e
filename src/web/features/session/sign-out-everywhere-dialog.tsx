import { useLogoutEverywhere } from '#web/features/session/session.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';

/** Asks before every browser of this account is signed out, this one included. */
export function SignOutEverywhereDialog({ onClose }: { onClose: () => void }) {
  const signOut = useLogoutEverywhere();
  return (
    <AlertDialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Sign out everywhere?"
      description="Every browser in which you are signed in is signed out at once, this one included. What is not saved there is lost."
      confirm="Sign out everywhere"
      destructive
      pending={signOut.isPending}
      onConfirm={() => signOut.mutate({})}
    />
  );
}
