import type { AtsPush } from '#contracts/ats-pushes.ts';
import { cn } from '#web/lib/cn.ts';
import { openDialog } from '#web/lib/use-dialog.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { describePush } from './push-states.ts';
import { useAtsName } from './use-ats-name.ts';

interface Props {
  interviewId: string;
  push: AtsPush;
  /** Shows the reason for a missing note below the chip. */
  withReason?: boolean;
}

/** The state of the note in the ATS. A click opens the dialog, which also shows the reason. */
export function PushChip({ interviewId, push, withReason = false }: Props) {
  const name = useAtsName();
  if (name === null) return null;
  const { label, tone } = describePush(push);
  return (
    <>
      <button
        type="button"
        title={push.error ?? undefined}
        onClick={() => openDialog({ name: 'ats', id: interviewId })}
        className="touch-beyond relative shrink-0 rounded-md"
      >
        <Badge tone={tone} className="hover:underline">
          {name}: {label}
          {push.error && !withReason && <span className="sr-only">. {push.error}</span>}
        </Badge>
      </button>
      {withReason && push.error && (
        <p
          title={push.error}
          className={cn('line-clamp-2 basis-full text-xs', push.state === 'failed' ? 'text-danger-ink' : 'text-muted')}
        >
          {push.error}
        </p>
      )}
    </>
  );
}
