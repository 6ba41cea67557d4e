import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';

export const mailFailedEntry = ({ to, subject, reason, attempts }: EventData<'mail.failed'>): NewLogEntry => ({
  action: 'mail-failed',
  status: 'error',
  summary: `The mail "${subject}" to ${to} was not delivered: ${reason}`,
  metadata: { to, subject, attempts },
});
