import { z } from 'zod';
import type { addComment, Comment, updateComment } from '#contracts/comments.ts';
import type { HandlerInput } from '#contracts/endpoint.ts';
import { MAX_COMMENTS } from '#contracts/rules/limits.ts';
import { findMentions } from '#contracts/rules/mentions.ts';
import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { Interviews } from '#server/features/interviews/interviews.service.ts';
import { listColleagues } from '#server/features/session/accounts/accounts.service.ts';
import { isFunnelVisible } from '#server/request-context.ts';
import type { CommentRow } from './comments.repo.ts';
import * as repo from './comments.repo.ts';
import {
  findReviewedInterview,
  insertReviewReadings,
  lockReviewedInterview,
  type ReviewedInterview,
} from './reviews.repo.ts';
import { expectInterview, type Reviewer, type Reviews, subjectOf } from './reviews.service.ts';

interface CommentsDeps {
  db: Database;
  events: Events;
  interviews: Pick<Interviews, 'lockAll'>;
  reviews: Pick<Reviews, 'isOpen'>;
}

type CommentInput = HandlerInput<typeof addComment>['body'];
type Change = HandlerInput<typeof updateComment>['body'];

/** Comments on moments of interviews. The same rules hide them as reviews. */
export class Comments {
  readonly #deps: CommentsDeps;

  constructor(deps: CommentsDeps) {
    this.#deps = deps;
  }

  async list(interviewId: string, { accountId }: Reviewer): Promise<Comment[]> {
    const { db, reviews } = this.#deps;
    expectInterview(await findReviewedInterview(db, interviewId));
    const rows = await repo.listComments(db, interviewId);
    const hasOthers = rows.some((row) => row.account_id !== accountId);
    const isOpen = hasOthers && (await reviews.isOpen(db, interviewId, accountId));
    if (isOpen) await insertReviewReadings(db, accountId, [interviewId]);
    const shown = isOpen ? rows : rows.filter((row) => row.account_id === accountId);
    return shown.map((row) => viewComment(row, accountId));
  }

  /** Lists the usernames of everyone else who sees the interview. */
  async listColleagues(interviewId: string, { accountId }: Reviewer): Promise<string[]> {
    const { db } = this.#deps;
    const { funnelId } = expectInterview(await findReviewedInterview(db, interviewId));
    const colleagues = await listColleagues(db, funnelId);
    return colleagues.filter(({ id }) => id !== accountId).map(({ username }) => username);
  }

  /** @throws AppError `conflict` when the interview has the maximum number of comments */
  add(interviewId: string, { accountId, username }: Reviewer, written: CommentInput): Promise<Comment> {
    const { db, events, interviews } = this.#deps;
    return db.transaction().execute(async (tx) => {
      // Serialize concurrent additions, so that the limit holds.
      await interviews.lockAll(tx, [interviewId]);
      const interview = expectInterview(await lockReviewedInterview(tx, interviewId));
      if ((await repo.countComments(tx, interviewId)) >= MAX_COMMENTS)
        throw new AppError('conflict', `This interview has ${MAX_COMMENTS} comments. Delete one to add another.`);
      const row = await repo.insertComment(tx, {
        interview_id: interviewId,
        account_id: accountId,
        author: username,
        body: written.body,
        at_seconds: written.atSeconds,
      });
      const mentionedIds = await findMentioned(tx, { interview, accountId, body: written.body });
      await events.record(tx, 'comment.added', { ...subjectOf(interview), commentId: row.id, accountId, mentionedIds });
      return viewComment(row, accountId);
    });
  }

  update(id: string, { accountId }: Reviewer, { body, atSeconds }: Change): Promise<Comment> {
    const { db, events } = this.#deps;
    return db.transaction().execute(async (tx) => {
      const { comment, interview } = await this.#findOwn(tx, id, accountId);
      const row = await repo.updateComment(tx, id, { body, atSeconds: atSeconds ?? comment.at_seconds });
      if (!row) throw commentNotFound();
      const before = await findMentioned(tx, { interview, accountId, body: comment.body });
      const after = await findMentioned(tx, { interview, accountId, body });
      const mentionedIds = after.filter((mentioned) => !before.includes(mentioned));
      await events.record(tx, 'comment.changed', { ...subjectOf(interview), commentId: id, accountId, mentionedIds });
      return viewComment(row, accountId);
    });
  }

  async delete(id: string, { accountId }: Reviewer): Promise<{ message: string }> {
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const { interview } = await this.#findOwn(tx, id, accountId);
      if (!(await repo.deleteComment(tx, id))) throw commentNotFound();
      await events.record(tx, 'comment.deleted', { ...subjectOf(interview), commentId: id });
    });
    return { message: 'Comment deleted' };
  }

  /**
   * @throws AppError `not_found` for a comment that does not exist or is hidden from the caller;
   * `forbidden` for someone else's comment
   */
  async #findOwn(tx: Executor, id: string, accountId: number) {
    const comment = z.guid().safeParse(id).success ? await repo.findComment(tx, id) : undefined;
    const interview = comment && (await lockReviewedInterview(tx, comment.interview_id));
    if (!comment || !interview || !isFunnelVisible(interview.funnelId)) throw commentNotFound();
    if (comment.account_id === accountId) return { comment, interview };
    if (!(await this.#deps.reviews.isOpen(tx, interview.id, accountId))) throw commentNotFound();
    throw new AppError('forbidden', 'You can only change and delete your own comments.');
  }
}

const commentNotFound = () => new AppError('not_found', 'This comment no longer exists.');

/** Finds the accounts that a comment mentions, except its author and accounts without access. */
async function findMentioned(
  tx: Executor,
  { interview, accountId, body }: { interview: ReviewedInterview; accountId: number; body: string },
): Promise<number[]> {
  if (!body.includes('@')) return [];
  const colleagues = await listColleagues(tx, interview.funnelId);
  return findMentions(body, colleagues).filter((id) => id !== accountId);
}

const viewComment = (row: CommentRow, accountId: number): Comment => ({
  id: row.id,
  author: row.author,
  isMine: row.account_id === accountId,
  body: row.body,
  atSeconds: row.at_seconds,
  createdAt: row.created_at.toISOString(),
  editedAt: row.edited_at?.toISOString() ?? null,
});
