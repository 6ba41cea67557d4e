import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useRef } from 'react';
import type { Automation } from '#contracts/automation.ts';
import type { Funnel } from '#contracts/funnels.ts';
import { SOURCES } from '#contracts/sources.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatCount, formatDateTime } from '#web/lib/format.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { useResumeAutomation } from './funnel-actions.ts';

/**
 * Shows how the funnel is kept up to date, and what failed. Renders nothing for a funnel without
 * automatic refreshes, a webhook or waiting interviews.
 */
export function FunnelAutomation({ funnel }: { funnel: Funnel }) {
  const { data } = useQuery({ ...endpointQuery('/api/automations'), staleTime: 0 });
  const state = data?.find(({ funnelId }) => funnelId === funnel.id);
  const section = useRef<HTMLElement>(null);
  if (funnel.refreshMinutes === null && !state?.awaitingInterviews && !state?.hasWebhook) return null;
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="Automation"
      className="mt-4 flex flex-col gap-1.5 rounded-md bg-sunken px-3 py-2 text-sm text-muted"
    >
      {SOURCES[funnel.source].isRefreshed && (
        <>
          <p className="flex items-center gap-1.5">
            <RefreshCw aria-hidden className="size-3.5 shrink-0" />
            {describeUpkeep(funnel, state)}
          </p>
          {data && (
            <p>{state?.lastRefreshAt ? `Last refresh: ${formatDateTime(state.lastRefreshAt)}` : 'Not refreshed yet'}</p>
          )}
        </>
      )}
      {state?.hasWebhook && (
        <p>{state.lastEventAt ? `Last event: ${formatDateTime(state.lastEventAt)}` : 'No event received yet'}</p>
      )}
      {state && <Failure funnel={funnel} state={state} onResumed={() => section.current?.focus()} />}
      {state && state.awaitingInterviews > 0 && (
        <p>
          Daily limit reached: {formatCount(state.awaitingInterviews, 'new interview')} will be processed over the next
          days. To process them sooner, raise the limit.
        </p>
      )}
    </section>
  );
}

function describeUpkeep({ refreshMinutes }: Funnel, state: Automation | undefined): string {
  if (state?.pausedReason) return 'Automatic refreshes are paused';
  if (refreshMinutes !== null) return `Kept up to date every ${formatCount(refreshMinutes, 'minute')}`;
  return state?.hasWebhook ? 'Kept up to date by events of the service' : 'Not refreshed automatically';
}

function describeFailure({ refreshMinutes }: Funnel, { pausedReason, lastError }: Automation): string {
  if (pausedReason) return `${pausedReason} To resume, click Retry.`;
  if (refreshMinutes === null) return `The last refresh failed: ${lastError}`;
  // Some errors end with the advice to try again, which contradicts the automatic retry.
  const advice = lastError?.lastIndexOf(' Try again') ?? -1;
  const reason = advice < 0 ? lastError : lastError?.slice(0, advice);
  return `The last refresh failed: ${reason} We'll retry automatically.`;
}

interface FailureProps {
  funnel: Funnel;
  state: Automation;
  /** Runs while the focused button still exists, which disappears with this message. */
  onResumed: () => void;
}

function Failure({ funnel, state, onResumed }: FailureProps) {
  const resume = useResumeAutomation();
  if (state.pausedReason === null && state.lastError === null) return null;
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-2 text-danger-ink">
      <p className="min-w-0 break-words">{describeFailure(funnel, state)}</p>
      <Button
        size="sm"
        aria-describedby={`funnel-${funnel.id}`}
        pending={resume.isPending}
        onClick={() => resume.mutate({ params: { id: funnel.id } }, { onSuccess: onResumed })}
      >
        Retry
      </Button>
    </div>
  );
}
