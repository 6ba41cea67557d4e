import type { EventData } from '#contracts/events.ts';
import type { NewNotice } from './notices.service.ts';

/** The author of the comment is the current actor. */
export const mentionNotice = ({
  interviewId,
  mentionedIds,
}: Pick<EventData<'comment.added'>, 'interviewId' | 'mentionedIds'>): NewNotice => ({
  ...{ kind: 'mention', accountIds: mentionedIds, interviewId, shareId: null },
});
