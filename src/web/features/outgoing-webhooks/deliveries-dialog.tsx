import { useQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import type { OutgoingWebhook, WebhookDelivery } from '#contracts/outgoing-webhooks.ts';
import { parseJson } from '#contracts/rules/parse-json.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { LoadError } from '#web/ui/feedback/load-error.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { labelOfEvent } from './event-labels.ts';
import { nameOf, useReloadWebhooks, useSendTest } from './webhook-actions.ts';

const POLL_MS = 10_000;
/** While a delivery is pending. */
const FAST_POLL_MS = 2_000;

interface Props {
  webhook: OutgoingWebhook;
  onClose: () => void;
}

/** The deliveries of a webhook with their responses, newest first. */
export function DeliveriesDialog({ webhook, onClose }: Props) {
  const { id } = webhook;
  const deliveries = useQuery({
    ...endpointQuery('/api/webhooks/:id/deliveries', { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some((one) => one.state === 'pending') ? FAST_POLL_MS : POLL_MS),
  });
  const test = useSendTest(() => {});
  return (
    <Dialog
      onClose={onClose}
      title={`Deliveries to ${nameOf(webhook)}`}
      description="The newest 100. They are kept for 14 days."
      size="lg"
      footer={
        <>
          <Button pending={test.isPending} onClick={() => test.mutate({ params: { id } })} className="mr-auto">
            Send a test
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      {deliveries.isPending && <Loading>Loading deliveries...</Loading>}
      {deliveries.isError && <LoadError title="Couldn't load the deliveries" query={deliveries} />}
      {deliveries.data?.length === 0 && (
        <EmptyState icon={<Inbox />} title="No deliveries yet">
          Events appear here when they happen. Send a test to try it now.
        </EmptyState>
      )}
      {deliveries.data && deliveries.data.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {deliveries.data.map((delivery) => (
            <li key={delivery.id} className="px-4 py-3">
              <DeliveryItem webhookId={id} delivery={delivery} />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

const STATES = {
  pending: { label: 'Waiting', tone: 'warning' },
  delivered: { label: 'Delivered', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
} as const;

function DeliveryItem({ webhookId, delivery }: { webhookId: number; delivery: WebhookDelivery }) {
  const { id, type, createdAt, error, request, answer, durationMs } = delivery;
  const reload = useReloadWebhooks();
  const retry = useAction('POST /api/webhooks/:id/deliveries/:deliveryId/retry', {
    onSuccess: reload,
    onError: toastFailure("Couldn't send it again"),
  });
  const name = labelOfEvent(type);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="flex min-w-0 grow flex-wrap items-center gap-2 font-medium">
          {name}
          <StateBadge delivery={delivery} />
        </p>
        <Button
          size="sm"
          pending={retry.isPending}
          aria-label={`Retry: ${name}, ${formatDateTime(createdAt)}`}
          onClick={() => retry.mutate({ params: { id: webhookId, deliveryId: id } })}
        >
          Retry
        </Button>
      </div>
      <p className="text-sm text-muted">{describeAttempts(delivery)}</p>
      {error && <p className="text-sm break-words text-danger-ink">{error}</p>}
      <details className="mt-1 text-sm">
        <summary className="cursor-pointer text-muted hover:text-ink">Request and response</summary>
        <Text label={`Request ${delivery.eventId}`}>{formatJson(request)}</Text>
        <Text label={answer ? `Response ${answer.status} in ${durationMs} ms` : 'No response'}>
          {answer?.body ?? ''}
        </Text>
      </details>
    </>
  );
}

function StateBadge({ delivery: { state, attempts } }: { delivery: WebhookDelivery }) {
  const isRetried = state === 'pending' && attempts > 0;
  return <Badge tone={STATES[state].tone}>{isRetried ? 'Retrying' : STATES[state].label}</Badge>;
}

function describeAttempts({ createdAt, attempts, attemptedAt, nextAttemptAt }: WebhookDelivery): string {
  return [
    formatDateTime(createdAt),
    attempts > 1 && attemptedAt && `${attempts} attempts, the last one ${formatDateTime(attemptedAt)}`,
    attempts > 0 && nextAttemptAt && `next ${formatDateTime(nextAttemptAt)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

const Text = ({ label, children }: { label: string; children: string }) => (
  <div className="mt-2">
    <p className="text-xs text-faint wrap-anywhere">{label}</p>
    {children && (
      <pre className="mt-1 max-h-60 overflow-y-auto rounded-md bg-sunken px-3 py-2 text-xs wrap-anywhere whitespace-pre-wrap">
        {children}
      </pre>
    )}
  </div>
);

function formatJson(text: string): string {
  const parsed = parseJson(text);
  return parsed === undefined ? text : JSON.stringify(parsed, null, 2);
}
