import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import type { Automation } from '#contracts/automation.ts';
import type { Funnel } from '#contracts/funnels.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatCount, formatDateTime } from '#web/lib/format.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { useResumeAutomation } from './funnel-actions.ts';

/**
 * How the funnel is kept up to date, and what failed. Nothing for a funnel that only users refresh.
 */
export function FunnelAutomation({ funnel }: { funnel: Funnel }) {
  const { data } = useQuery({ ...endpointQuery('/api/automations'), staleTime: 0 });
  const state = data?.find(({ funnelId }) => funnelId === funnel.id);
  if (funnel.refreshMinutes === null && !state?.awaitingInterviews && !state?.hasWebhook) return null;
  return (
    <section
      aria-label="Automation"
      className="mt-4 flex flex-col gap-1.5 rounded-md bg-sunken px-3 py-2 text-sm text-muted"
    >
      <p className="flex items-center gap-1.5">
        <RefreshCw aria-hidden className="size-3.5 shrink-0" />
        {state?.pausedReason ? 'Paused' : describeInterval(funnel.refreshMinutes)}
      </p>
      {data && (
        <p>{state?.lastRefreshAt ? `Last refresh: ${formatDateTime(state.lastRefreshAt)}` : 'Not refreshed yet'}</p>
      )}
      {state?.hasWebhook && (
        <p>{state.lastEventAt ? `Last event: ${formatDateTime(state.lastEventAt)}` : 'No event received yet'}</p>
      )}
      {state && <Failure funnel={funnel} state={state} />}
      {state && state.awaitingInterviews > 0 && (
        <p>
          Daily limit reached: {formatCount(state.awaitingInterviews, 'new interview')} will be processed on the next
          days. To process them sooner, raise the limit.
        </p>
      )}
    </section>
  );
}

const describeInterval = (minutes: number | null) =>
  minutes === null ? 'Not refreshed by itself' : `Kept up to date every ${formatCount(minutes, 'minute')}`;

function Failure({ funnel, state }: { funnel: Funnel; state: Automation }) {
  const resume = useResumeAutomation();
  const { pausedReason, lastError } = state;
  if (pausedReason === null && lastError === null) return null;
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-2 text-danger-ink">
      <p className="min-w-0 break-words">
        {pausedReason ? `${pausedReason} Then retry to resume.` : `The last refresh failed: ${lastError}`}
      </p>
      <Button
        size="sm"
        aria-describedby={`funnel-${funnel.id}`}
        pending={resume.isPending}
        onClick={() => resume.mutate({ params: { id: funnel.id } })}
      >
        Retry
      </Button>
    </div>
  );
}
