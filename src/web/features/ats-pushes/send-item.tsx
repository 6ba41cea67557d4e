import { Send } from 'lucide-react';
import type { Interview } from '#contracts/interviews.ts';
import { openDialog } from '#web/lib/use-dialog.ts';
import { MenuItem } from '#web/ui/overlays/dropdown-menu.tsx';
import { useAtsName } from './use-ats-name.ts';

/** Opens the dialog that sends an interview with a destination to the ATS. */
export function SendItem({ interview }: { interview: Interview }) {
  const name = useAtsName();
  if (name === null || interview.destinationId === null) return null;
  return (
    <MenuItem
      icon={Send}
      label={interview.push?.isChanged ? `Update the note in ${name}` : `Send to ${name}`}
      onSelect={() => openDialog({ name: 'ats', id: interview.id })}
    />
  );
}
