import type { EventData } from '#contracts/events.ts';
import type { NewNotice } from './notices.service.ts';

/** The author of the comment is the current actor. */
export const mentionNotice = ({
  interviewId,
  mentionedIds,
}: Pick<EventData<'comment.added'>, 'interviewId' | 'mentionedIds'>): NewNotice => ({
  kind: 'mention',
  accountIds: mentionedIds,
  interviewId,
  shareId: null,
});

type Shared = Pick<EventData<'share.opened'>, 'shareId' | 'senderId' | 'recipient' | 'funnelIds'>;

const ofShare = ({ shareId, senderId, recipient, funnelIds }: Shared) => ({
  accountIds: senderId === null ? [] : [senderId],
  shareId,
  actor: recipient,
  funnelIds,
  interviewId: null,
});

/** Only the first opening is news. */
export const openedNotice = ({ isFirst, ...share }: EventData<'share.opened'>): NewNotice | null =>
  isFirst ? { ...ofShare(share), kind: 'opened' } : null;

export const verdictNotice = ({ interviewId, ...share }: EventData<'share.decided'>): NewNotice => ({
  ...ofShare(share),
  kind: 'verdict',
  interviewId,
});

export const expiringNotice = (share: EventData<'share.expiring'>): NewNotice => ({
  ...ofShare(share),
  kind: 'expiring',
});

/** Only a pause is news for all administrators. */
export const pausedNotice = ({ host, change }: EventData<'outgoing-webhook.changed'>): NewNotice | null =>
  change === 'paused'
    ? { kind: 'webhook', accountIds: 'administrators', interviewId: null, shareId: null, actor: host }
    : null;
