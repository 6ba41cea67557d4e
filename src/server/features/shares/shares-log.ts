import type { EventData } from '#contracts/events.ts';
import type { LogAction, LogStatus } from '#contracts/logs.ts';
import type { NewLogEntry } from '#server/events/events.ts';
import { shortTitle } from '#server/events/log-texts.ts';

type Shared = Pick<EventData<'share.opened'>, 'shareId' | 'shareTitle' | 'recipient'>;

export const createdSharesEntry = ({
  shareTitle,
  recipients,
  interviews,
}: EventData<'share.created'>): NewLogEntry => ({
  type: 'system',
  action: 'share-interviews',
  status: 'success',
  summary: `${count(interviews.length, 'interview')} shared with ${recipients.map(({ name }) => shortTitle(name)).join(', ')}: ${shortTitle(shareTitle)}`,
  details: { recipients, interviews },
});

export const openedShareEntry = ({ isFirst, ...share }: EventData<'share.opened'>): NewLogEntry =>
  entry('open-link', share, {
    text: `${nameOf(share)} opened ${isFirst ? 'their link for the first time' : 'their link'}: ${shortTitle(share.shareTitle)}`,
  });

export const watchedShareEntry = ({ interviewId, title, ...share }: EventData<'share.watched'>): NewLogEntry =>
  entry('watch-link', share, { text: `${nameOf(share)} began to watch "${shortTitle(title)}".`, interviewId });

const VERDICTS = { yes: 'is interested in', maybe: 'may be interested in', no: 'is not interested in' };

export const decidedShareEntry = ({ interviewId, title, verdict, ...share }: EventData<'share.decided'>): NewLogEntry =>
  entry('decide-link', share, { text: `${nameOf(share)} ${VERDICTS[verdict]} "${shortTitle(title)}".`, interviewId });

const CHANGES: Record<EventData<'share.changed'>['change'], string> = {
  extended: 'has a new expiry date',
  revoked: 'was revoked',
  restored: 'works again',
  closed: 'was closed',
  reopened: 'was reopened',
  renewed: 'was replaced by a new one',
  locked: 'was closed after too many wrong passcodes',
};

export const changedShareEntry = ({ change, expiresAt, ...share }: EventData<'share.changed'>): NewLogEntry => {
  const changed = entry('change-link', share, {
    text: `The link of ${nameOf(share)} ${CHANGES[change]}: ${shortTitle(share.shareTitle)}`,
    status: change === 'locked' ? 'warning' : 'success',
  });
  return change === 'extended' ? { ...changed, details: { expiresAt } } : changed;
};

export const expiringShareEntry = ({ expiresAt, ...share }: EventData<'share.expiring'>): NewLogEntry => ({
  ...entry('expire-link', share, {
    text: `The link of ${nameOf(share)} expires soon and was never opened: ${shortTitle(share.shareTitle)}`,
    status: 'info',
  }),
  details: { expiresAt },
});

interface Content {
  text: string;
  interviewId?: string;
  status?: LogStatus;
}

const entry = (
  action: LogAction,
  { shareId }: Shared,
  { text, interviewId, status = 'success' }: Content,
): NewLogEntry => ({
  type: 'system',
  action,
  status,
  summary: text,
  metadata: { shareId, ...(interviewId !== undefined && { interviewId }) },
});

const nameOf = ({ recipient }: Shared) => shortTitle(recipient);

const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
