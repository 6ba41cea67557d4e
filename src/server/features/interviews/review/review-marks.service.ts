import type { Answer } from '#contracts/endpoint.ts';
import type { AnswerStart, getAnswers } from '#contracts/review.ts';
import type { Database } from '#server/db/database.ts';
import { interviewNotFound } from '#server/features/interviews/interviews.service.ts';
import { currentActor } from '#server/request-context.ts';
import { listAnswers, updateAnswerStart } from './answers.repo.ts';
import { insertWatched } from './watched.repo.ts';

/** The marks that users set while they watch: watched interviews, and starts of answers. */
export class ReviewMarks {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async markWatched(id: string): Promise<{ message: string }> {
    if (!(await insertWatched(this.#db, currentActor().accountId, id))) throw interviewNotFound();
    return { message: 'Marked as watched' };
  }

  async findAnswers(id: string): Promise<Answer<typeof getAnswers>> {
    const answers = await listAnswers(this.#db, id);
    if (!answers) throw interviewNotFound();
    return { answers };
  }

  async markAnswer(id: string, start: AnswerStart): Promise<{ message: string }> {
    if (!(await updateAnswerStart(this.#db, id, start))) throw interviewNotFound();
    return { message: 'Start of the answer saved' };
  }
}
