import { AsyncLocalStorage } from 'node:async_hooks';
import type { ExportQuery } from '#contracts/exports.ts';
import { AppError } from '#server/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { Interviews } from '#server/features/interviews/interviews.service.ts';
import type { Reviewer, Reviews } from '#server/features/reviews/reviews.service.ts';
import { csvLines } from './csv-rows.ts';
import { COLUMNS } from './interview-columns.ts';

export interface ExportsDeps {
  db: Database;
  events: Events;
  interviews: Pick<Interviews, 'stream' | 'expectVisible' | 'findWithoutTexts'>;
  reviews: Pick<Reviews, 'summarizeAll'>;
}

interface CsvOptions {
  reader: Reviewer;
  /** The product's URL. */
  origin: string;
}

interface CsvFile {
  pieces: AsyncIterable<string>;
  /** Must be called at the end, even if the pieces were not read. */
  close(): Promise<void>;
}

/** Each export holds a database connection until the client has read the file. */
const MAX_RUNNING = 2;
const RETRY_AFTER_SECONDS = 10;
const BATCH_SIZE = 500;
/** Without it, spreadsheets do not read the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Exports and prints interviews, and records it. */
export class Exports {
  readonly #deps: ExportsDeps;
  #running = 0;

  constructor(deps: ExportsDeps) {
    this.#deps = deps;
  }

  /**
   * Streams the interviews of a list as CSV. The first piece is read before this resolves, so that
   * a failure becomes an error response. The end is recorded with the number of interviews, even if
   * the client disconnects.
   * @throws AppError `too_many_requests` while too many exports run
   */
  async csv(query: ExportQuery, options: CsvOptions): Promise<CsvFile> {
    if (this.#running >= MAX_RUNNING)
      throw new AppError('too_many_requests', 'Other exports are running. Try again in a few seconds.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    this.#running += 1;
    const rest = this.#pieces(query, options);
    const first = await rest.next();
    const pieces = (async function* () {
      if (!first.done) yield first.value;
      yield* rest;
    })();
    return { pieces, close: async () => void (await rest.return(undefined)) };
  }

  /** @throws AppError `not_found` if one of the interviews is not visible to the caller */
  async recordPrinting(ids: readonly string[]): Promise<{ message: string }> {
    const { db, events, interviews } = this.#deps;
    const printed = [];
    for (const id of new Set(ids)) {
      await interviews.expectVisible(id);
      const { title, funnelIdNum: funnelId } = await interviews.findWithoutTexts(id);
      printed.push({ interviewId: id, title, funnelId });
    }
    await events.record(db, 'interviews.printed', { interviews: printed });
    return { message: 'Recorded as printed' };
  }

  async *#pieces({ id, ...query }: ExportQuery, { reader, origin }: CsvOptions): AsyncGenerator<string> {
    // The stream resumes in the context of its socket, which has no actor.
    const inRequest = AsyncLocalStorage.snapshot();
    const { db, events, interviews, reviews } = this.#deps;
    let funnelIds: readonly number[] | null = null;
    let count = 0;
    let isComplete = false;
    let isStarted = false;
    try {
      const stream = await interviews.stream({ ...query, ids: id ?? null, batchSize: BATCH_SIZE });
      funnelIds = stream.funnelIds;
      let head = BYTE_ORDER_MARK + csvLines([COLUMNS.map(([name]) => name)]);
      for await (const batch of stream.batches) {
        const found = await reviews.summarizeAll(
          batch.map((interview) => interview.id),
          reader,
        );
        const rows = batch.map((interview) => ({ interview, reviews: found.get(interview.id), origin }));
        const lines = csvLines(rows.map((row) => COLUMNS.map(([, cell]) => cell(row))));
        isStarted = true;
        count += batch.length;
        yield head + lines;
        head = '';
      }
      isStarted = true;
      if (head !== '') yield head;
      isComplete = true;
    } finally {
      this.#running -= 1;
      if (isStarted) await inRequest(() => events.record(db, 'interviews.exported', { count, isComplete, funnelIds }));
    }
  }
}
