import { useState } from 'react';
import type { Timeframe } from '#contracts/sync.ts';
import { RadioGroup } from '#web/ui/forms/radio-group.tsx';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';

const CHOICES = [
  {
    value: 'future',
    label: 'New Interviews Only',
    description: 'Only interviews created after the last refresh; fastest.',
  },
  {
    value: 'past',
    label: 'Older Interviews Only',
    description: 'Interviews from before the last refresh, to sync changed data.',
  },
  { value: 'all', label: 'All Interviews' },
] as const satisfies { value: Timeframe; label: string; description?: string }[];

interface Props {
  funnelName: string | undefined;
  pending: boolean;
  onStart: (timeframe: Timeframe) => void;
  onClose: () => void;
}

export function RefreshOptionsDialog({ funnelName, pending, onStart, onClose }: Props) {
  const [timeframe, setTimeframe] = useState<Timeframe>('all');
  return (
    <FormDialog
      title="Refresh Options"
      description={funnelName ? `Choose what to sync from ${funnelName}.` : 'Choose what to sync.'}
      size="sm"
      startAt={(form) => form.querySelector<HTMLElement>(':checked')}
      action={pending ? 'Refreshing...' : 'Start Refresh'}
      pending={pending}
      onSubmit={() => onStart(timeframe)}
      onClose={onClose}
    >
      <RadioGroup
        label="What to sync"
        name="timeframe"
        value={timeframe}
        choices={CHOICES}
        onChange={setTimeframe}
        disabled={pending}
      />
    </FormDialog>
  );
}
