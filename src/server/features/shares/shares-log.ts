import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';
import { plural, shortTitle } from '#server/events/log-texts.ts';

export const createdSharesEntry = ({
  shareTitle,
  recipients,
  interviews,
}: EventData<'share.created'>): NewLogEntry => ({
  action: 'share-interviews',
  summary: `${plural(interviews.length, 'interview')} shared with ${recipients.map(({ name }) => shortTitle(name)).join(', ')}: ${shortTitle(shareTitle)}`,
  details: { recipients, interviews },
});

export const openedShareEntry = (share: EventData<'share.opened'>): NewLogEntry => ({
  action: 'open-link',
  summary: `${nameOf(share)} opened ${share.isFirst ? 'their link for the first time' : 'their link'}: ${shortTitle(share.shareTitle)}`,
  metadata: { shareId: share.shareId },
});

export const watchedShareEntry = (watched: EventData<'share.watched'>): NewLogEntry => ({
  action: 'watch-link',
  summary: `${nameOf(watched)} began to watch "${shortTitle(watched.title)}".`,
  metadata: { shareId: watched.shareId, interviewId: watched.interviewId },
});

const VERDICTS = { yes: 'is interested in', maybe: 'may be interested in', no: 'is not interested in' };

export const decidedShareEntry = (decided: EventData<'share.decided'>): NewLogEntry => ({
  action: 'decide-link',
  summary: `${nameOf(decided)} ${VERDICTS[decided.verdict]} "${shortTitle(decided.title)}".`,
  metadata: { shareId: decided.shareId, interviewId: decided.interviewId },
});

const CHANGES: Record<EventData<'share.changed'>['change'], string> = {
  extended: 'has a new expiry date',
  revoked: 'was revoked',
  restored: 'works again',
  closed: 'was closed',
  reopened: 'was reopened',
  renewed: 'was replaced by a new one',
  locked: 'was closed after too many wrong passcodes',
};

export const changedShareEntry = (share: EventData<'share.changed'>): NewLogEntry => ({
  action: 'change-link',
  status: share.change === 'locked' ? 'warning' : 'success',
  summary: `The link of ${nameOf(share)} ${CHANGES[share.change]}: ${shortTitle(share.shareTitle)}`,
  ...(share.change === 'extended' && { details: { expiresAt: share.expiresAt } }),
  metadata: { shareId: share.shareId },
});

export const expiringShareEntry = (share: EventData<'share.expiring'>): NewLogEntry => ({
  action: 'expire-link',
  status: 'info',
  summary: `The link of ${nameOf(share)} expires soon and was never opened: ${shortTitle(share.shareTitle)}`,
  details: { expiresAt: share.expiresAt },
  metadata: { shareId: share.shareId },
});

const nameOf = ({ recipient }: { recipient: string }) => shortTitle(recipient);
