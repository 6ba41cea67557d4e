import { Send } from 'lucide-react';
import { formatNumber } from '#web/lib/format.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { useAtsName } from './use-ats-name.ts';

interface Props {
  count: number;
  pending: boolean;
  onClick: () => void;
}

/** Sends the selected interviews to the ATS. */
export function BulkSendButton({ count, pending, onClick }: Props) {
  const name = useAtsName();
  if (name === null) return null;
  return (
    <Button
      size="sm"
      variant="ghost"
      pending={pending}
      data-command={`Send to ${name}: ${formatNumber(count)} selected`}
      onClick={onClick}
    >
      {!pending && <Send aria-hidden className="md:hidden" />}
      Send to {name}
    </Button>
  );
}
