import type { EventData } from '#contracts/events.ts';
import type { NewLogEntry } from '#server/events/events.ts';
import { shortTitle } from '#server/events/log-texts.ts';

export const submitReviewEntry = ({ interviewId, title, isFirst }: EventData<'review.submitted'>): NewLogEntry => ({
  action: 'submit-review',
  summary: `${isFirst ? 'Reviewed' : 'Changed the review of'} "${shortTitle(title)}".`,
  metadata: { interviewId },
});

export const withdrawReviewEntry = ({ interviewId, title }: EventData<'review.withdrawn'>): NewLogEntry => ({
  action: 'withdraw-review',
  summary: `Undid the review of "${shortTitle(title)}".`,
  metadata: { interviewId },
});

export const openReviewsEntry = ({ interviewId, title }: EventData<'reviews.opened'>): NewLogEntry => ({
  action: 'open-reviews',
  status: 'info',
  summary: `Read the reviews of "${shortTitle(title)}" without reviewing.`,
  metadata: { interviewId },
});

export const scorecardEntry = ({ name, criteria, ...metadata }: EventData<'scorecard.changed'>): NewLogEntry => ({
  action: 'update-scorecard',
  summary: `The scorecard of funnel "${shortTitle(name)}" was changed.`,
  details: { criteria },
  metadata,
});

type CommentEvent = 'comment.added' | 'comment.changed' | 'comment.deleted';

/** Omits the comment's text: it may still be hidden from colleagues. */
const commentEntry =
  (action: NewLogEntry['action'], what: string) =>
  ({ interviewId, title }: Pick<EventData<CommentEvent>, 'interviewId' | 'title'>): NewLogEntry => ({
    action,
    summary: `${what} "${shortTitle(title)}".`,
    metadata: { interviewId },
  });

export const addCommentEntry = commentEntry('add-comment', 'Commented on');
export const changeCommentEntry = commentEntry('update-comment', 'Changed a comment on');
export const deleteCommentEntry = commentEntry('delete-comment', 'Deleted a comment on');
