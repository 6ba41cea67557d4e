import type { ResponseOf } from '#contracts/endpoint.ts';
import type { AnswerStart, getAnswers } from '#contracts/review.ts';
import type { Database } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { interviewNotFound } from '#server/features/interviews/interviews.service.ts';
import { currentActor } from '#server/request-context.ts';
import { listAnswers, updateAnswerStart } from './answers.repo.ts';
import { deleteWatched, insertWatched } from './watched.repo.ts';

interface ReviewMarksDeps {
  db: Database;
  events: Events;
}

/** The marks that users set while they watch: watched interviews, and starts of answers. */
export class ReviewMarks {
  readonly #deps: ReviewMarksDeps;

  constructor(deps: ReviewMarksDeps) {
    this.#deps = deps;
  }

  async markWatched(id: string): Promise<{ message: string }> {
    if (!(await insertWatched(this.#deps.db, currentActor().accountId, id))) throw interviewNotFound();
    return { message: 'Marked as watched' };
  }

  /** The other browsers of the account then show it as unwatched as well. */
  async unmarkWatched(id: string): Promise<{ message: string }> {
    const { accountId } = currentActor();
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      if (!(await deleteWatched(tx, accountId, id))) throw interviewNotFound();
      await events.record(tx, 'interview.unwatched', { interviewId: id, accountId });
    });
    return { message: 'Marked as unwatched' };
  }

  async findAnswers(id: string): Promise<ResponseOf<typeof getAnswers>> {
    const answers = (await listAnswers(this.#deps.db, [id])).get(id);
    if (!answers) throw interviewNotFound();
    return { answers };
  }

  async markAnswer(id: string, start: AnswerStart): Promise<{ message: string }> {
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const interview = await updateAnswerStart(tx, id, start);
      if (!interview) throw interviewNotFound();
      await events.record(tx, 'answer.marked', { interviewId: id, ...interview, start });
    });
    return { message: 'Start of the answer saved' };
  }
}
