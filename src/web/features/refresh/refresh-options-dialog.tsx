import { useId, useRef, useState } from 'react';
import type { Timeframe } from '#contracts/sync.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { RadioGroup } from '#web/ui/forms/radio-group.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';

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
  const form = useRef<HTMLFormElement>(null);
  const formId = useId();
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Refresh Options"
      description={funnelName ? `Choose what to sync from ${funnelName}.` : 'Choose what to sync.'}
      size="sm"
      startAt={() => form.current?.querySelector<HTMLElement>(':checked')}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={pending}>
            {pending ? 'Refreshing...' : 'Start Refresh'}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          onStart(timeframe);
        }}
      >
        <RadioGroup
          label="What to sync"
          name="timeframe"
          value={timeframe}
          choices={CHOICES}
          onChange={setTimeframe}
          disabled={pending}
        />
      </form>
    </Dialog>
  );
}
