import type { EventData } from '#contracts/events.ts';
import type { NewNotice } from './notices.service.ts';

/** Only a pause is news for all administrators. */
export const pausedNotice = ({ host, change }: EventData<'outgoing-webhook.changed'>): NewNotice | null =>
  change === 'paused'
    ? { kind: 'webhook', accountIds: 'administrators', interviewId: null, shareId: null, actor: host }
    : null;
