import type { Funnel } from '#contracts/funnels.ts';
import type { NewLogEntry } from '#server/features/logs/logs.service.ts';

export const pauseEntry = ({ id, name }: Funnel, reason: string): NewLogEntry => ({
  type: 'error',
  action: 'pause-automation',
  status: 'warning',
  summary: `Automatic refreshes of ${name} are paused. ${reason}`,
  metadata: { funnelId: id, name },
});

export const resumeEntry = ({ id, name }: Funnel): NewLogEntry => ({
  type: 'system',
  action: 'resume-automation',
  status: 'success',
  summary: `Automatic refreshes of ${name} were resumed.`,
  metadata: { funnelId: id, name },
});

export const revealedWebhookEntry = ({ id, name }: Funnel): NewLogEntry => ({
  type: 'system',
  action: 'reveal-webhook',
  status: 'info',
  summary: `The webhook address of funnel "${name}" was revealed.`,
  metadata: { funnelId: id, name },
});

export const webhookEntry = ({ id, name }: Funnel, what: string): NewLogEntry => ({
  type: 'system',
  action: 'create-webhook',
  status: 'success',
  summary: `${what} for funnel "${name}".`,
  metadata: { funnelId: id, name },
});

/** The actor of the entry is the sender of the last refused event. */
export const refusedEventsEntry = (reason: string, count: number): NewLogEntry => ({
  type: 'error',
  action: 'refused-event',
  status: 'warning',
  summary: `Rejected a webhook event: ${reason}.`,
  metadata: { refused: count },
});
