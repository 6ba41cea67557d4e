import { AlertDialog } from '#web/ui/alert-dialog.tsx';

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDiscard: () => void;
}

/** Asks before what somebody has written and not saved is thrown away. */
export const DiscardChangesDialog = ({ open, onOpenChange, onDiscard }: Props) => (
  <AlertDialog
    open={open}
    onOpenChange={onOpenChange}
    title="Discard changes?"
    description="What you have written is not saved yet."
    cancel="Keep editing"
    confirm="Discard"
    destructive
    onConfirm={onDiscard}
  />
);
