import { Ellipsis, KeyRound, ListChecks, Pencil, Power, Send, Trash2 } from 'lucide-react';
import type { OutgoingWebhook } from '#contracts/outgoing-webhooks.ts';
import { PUBLIC_EVENT_NAMES } from '#contracts/public-events.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { DropdownMenu, MenuItem, MenuSeparator } from '#web/ui/overlays/dropdown-menu.tsx';
import { FORMAT_LABELS, labelOfEvent } from './event-labels.ts';
import { nameOf, useSendTest, useToggleWebhook } from './webhook-actions.ts';

interface Props {
  webhook: OutgoingWebhook;
  onOpen: (dialog: 'edit-webhook' | 'deliveries' | 'replace-secret' | 'delete-webhook') => void;
}

/** A webhook with its events and its state. */
export function WebhookCard({ webhook, onOpen }: Props) {
  const { url, events, format, includePersonalData, pauseReason, pausedAt, pending } = webhook;
  const name = nameOf(webhook);
  const hasAllEvents = PUBLIC_EVENT_NAMES.every((type) => events.includes(type));
  return (
    <Card className="p-4">
      <article aria-label={name} className="flex items-start gap-3">
        <div className="min-w-0 grow">
          <h2 className="flex flex-wrap items-center gap-2 font-medium">
            <span className="break-all">{name}</span>
            <StateBadge webhook={webhook} />
          </h2>
          <p className="text-sm break-all text-muted">
            {url ?? "The URL can't be decrypted. Enter it again and replace the secret."}
          </p>
          <p className="mt-2 text-sm text-muted">
            {[
              FORMAT_LABELS[format],
              includePersonalData ? 'with personal data' : 'without personal data',
              pending > 0 && `${pending.toLocaleString('en-US')} waiting`,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <ul aria-label="Events" className="mt-2 flex flex-wrap gap-1.5">
            {(hasAllEvents ? ['All events'] : events.map(labelOfEvent)).map((label) => (
              <li key={label} className="max-w-full">
                <Badge>{label}</Badge>
              </li>
            ))}
          </ul>
          {pausedAt && (
            <p className="mt-2 text-sm text-danger-ink">
              Paused {formatDateTime(pausedAt)}. {pauseReason}
            </p>
          )}
        </div>
        <WebhookMenu webhook={webhook} onOpen={onOpen} />
      </article>
    </Card>
  );
}

function StateBadge({ webhook: { isActive, pausedAt, failingSince } }: Pick<Props, 'webhook'>) {
  if (pausedAt) return <Badge tone="danger">Paused</Badge>;
  if (!isActive) return <Badge>Off</Badge>;
  if (failingSince) return <Badge tone="warning">Failing since {formatDateTime(failingSince)}</Badge>;
  return <Badge tone="success">On</Badge>;
}

function WebhookMenu({ webhook, onOpen }: Props) {
  const toggle = useToggleWebhook();
  const test = useSendTest(() => onOpen('deliveries'));
  const { id, isActive } = webhook;
  return (
    <DropdownMenu
      trigger={
        <Button variant="ghost" size="icon-sm" aria-label={`Actions for ${nameOf(webhook)}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuItem icon={ListChecks} label="Deliveries" onSelect={() => onOpen('deliveries')} />
      <MenuItem icon={Send} label="Send a test" onSelect={() => test.mutate({ params: { id } })} />
      <MenuItem icon={Pencil} label="Edit" onSelect={() => onOpen('edit-webhook')} />
      <MenuItem icon={Power} label={isActive ? 'Turn off' : 'Turn on'} onSelect={() => toggle(webhook)} />
      <MenuItem icon={KeyRound} label="Replace secret" onSelect={() => onOpen('replace-secret')} />
      <MenuSeparator />
      <MenuItem icon={Trash2} label="Delete" destructive onSelect={() => onOpen('delete-webhook')} />
    </DropdownMenu>
  );
}
