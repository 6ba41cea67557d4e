import { z } from 'zod';
import { STORABLE } from '#server/adapters/outside-http/clean-text.ts';
import {
  type CreatedRange,
  type InterviewSource,
  isInRange,
  isUnreadable,
  type SourceAccess,
  type SourceCursor,
  type SourceInterview,
  type SourcePage,
} from '#server/ports/interview-source.ts';
import { cleanLine, cleanLongText } from '#server/sources/clean-fields.ts';
import { addPage, LIST_START, ListProgress } from '#server/sources/list-progress.ts';
import { interviewsError } from '#server/sources/source-client.ts';
import { INTERVIEWS_OF_POSITION, ONE_INTERVIEW, POSITIONS } from './documents.ts';
import { HireflixClient, type HireflixClientOptions } from './hireflix-client.ts';
import { type Position, readHireflix } from './read-hireflix.ts';

export interface HireflixSourceOptions extends HireflixClientOptions {
  pageSize?: number;
}

/** The largest page that other clients request. */
const PAGE_SIZE = 50;
const MAX_ROWS = 1_000_000;
const MAX_CURSOR_LENGTH = 8_192;

/** The position in a list, and facts about the pages before it. */
const Cursor = ListProgress.extend({
  after: z.string().nullable(),
  /** Interviews of the range. */
  found: z.int().nonnegative(),
});
type Cursor = z.infer<typeof Cursor>;
const START: Cursor = { ...LIST_START, after: null, found: 0 };

const line = z.string().nullish().catch(null);
const PositionData = z.object({ name: line, description: line });
const List = z.object({
  results: z.array(z.unknown()),
  lastCursor: z.string().max(MAX_CURSOR_LENGTH).regex(STORABLE).nullish(),
  // A larger total counts as unknown, because a longer list is not read.
  total: z.int().nonnegative().max(MAX_ROWS).nullable().catch(null),
});
const ListData = z.object({ position: PositionData.extend({ interviewList: List }).nullable() });
const OneData = z.object({ interview: z.unknown(), position: PositionData.nullish().catch(null) });
const PositionsData = z.object({ positions: z.array(z.unknown()) });
const ListedPosition = z.object({ id: z.string().min(1).max(200), name: line, archived: z.unknown().optional() });

export const hireflixInterviewSource = (options: HireflixSourceOptions): InterviewSource => new HireflixSource(options);

/** Hireflix: GraphQL, a list by cursor, one signed video per question. */
class HireflixSource implements InterviewSource {
  readonly #client: HireflixClient;
  readonly #pageSize: number;

  constructor({ pageSize = PAGE_SIZE, ...options }: HireflixSourceOptions) {
    this.#client = new HireflixClient(options);
    this.#pageSize = pageSize;
  }

  async page(access: SourceAccess, range: CreatedRange, cursor: SourceCursor | null, signal: AbortSignal) {
    const at = cursor === null ? START : Cursor.parse(cursor);
    const { position, list } = await this.#readList(access, { after: at.after, limit: this.#pageSize }, signal);
    if (list.results.length > this.#pageSize) throw this.#client.vendor.badResponse();
    const rows = list.results.map((raw, index) => readHireflix(raw, position, `#${at.rows + index + 1}`));
    return toPage(rows, { range, at, total: list.total ?? 0, next: this.#nextCursor(at, list) });
  }

  async find({ funnelId, apiKey }: SourceAccess, { id }: { id: string }, signal: AbortSignal) {
    const variables = { id, position: funnelId.toWellFormed() };
    const body = await this.#client.query(apiKey, { documents: ONE_INTERVIEW, variables }, signal);
    const { interview, position } = this.#client.vendor.parse(OneData, body);
    const read = interview ? readHireflix(interview, positionOf(position ?? {}), id) : null;
    return read && !isUnreadable(read) ? read : null;
  }

  async check(access: SourceAccess, signal: AbortSignal) {
    const { position, list } = await this.#readList(access, { after: null, limit: 1 }, signal);
    return { name: position.name ?? access.funnelId, interviews: list.total ?? 0 };
  }

  async positions({ apiKey }: SourceAccess, signal: AbortSignal) {
    const body = await this.#client.query(apiKey, { documents: POSITIONS, variables: {} }, signal);
    return this.#client.vendor.parse(PositionsData, body).positions.flatMap((raw) => {
      const { data: listed } = ListedPosition.safeParse(raw);
      if (!listed) return [];
      const { id, name, archived } = listed;
      return [{ id, name: cleanLine(name) ?? id, isArchived: archived === true }];
    });
  }

  async #readList(
    { funnelId, apiKey }: SourceAccess,
    { after, limit }: { after: string | null; limit: number },
    signal: AbortSignal,
  ) {
    const variables = { position: funnelId.toWellFormed(), limit, cursor: after };
    const body = await this.#client.query(apiKey, { documents: INTERVIEWS_OF_POSITION, variables }, signal);
    const { position } = this.#client.vendor.parse(ListData, body);
    if (!position)
      throw interviewsError(
        'not_found',
        `Hireflix has no position "${funnelId}" that this API key can read. Check the API key and the Funnel ID.`,
      );
    return { position: positionOf(position), list: position.interviewList };
  }

  /**
   * Null after an empty page. Only that marks the end, because every page has a cursor.
   * @throws UpstreamError when the list does not end
   */
  #nextCursor(at: Cursor, { results, lastCursor, total }: z.infer<typeof List>): Omit<Cursor, 'found'> | null {
    if (results.length === 0) return null;
    const ids = results.map((row) => (row as { id?: unknown } | null)?.id);
    const progress = addPage(at, { ids, total, pageSize: this.#pageSize });
    const after = lastCursor ?? at.after;
    if (progress === null || after === at.after || progress.rows > MAX_ROWS)
      throw this.#client.vendor.endless(at.rows + results.length);
    return { ...progress, after };
  }
}

const positionOf = ({ name, description }: Partial<z.infer<typeof PositionData>>): Position => ({
  name: cleanLine(name),
  description: cleanLongText(description),
});

type ReadRow = ReturnType<typeof readHireflix>;

interface ListPlace {
  range: CreatedRange;
  at: Cursor;
  total: number;
  next: Omit<Cursor, 'found'> | null;
}

/**
 * A list of invitations is read to its end, because a candidate may answer an old one at any time.
 */
function toPage(rows: readonly ReadRow[], { range, at, total, next }: ListPlace): SourcePage {
  const read = rows.filter((row) => row !== null);
  const unreadable = read.filter(isUnreadable);
  const interviews = read.filter(
    (row): row is SourceInterview => !isUnreadable(row) && isInRange(row.recordedAt, range),
  );
  const found = at.found + interviews.length + unreadable.length;
  // The total includes invitations without a recording, and ignores the range.
  const left = next ? Math.max(0, total - next.rows) : 0;
  return {
    interviews,
    unreadable,
    total: found + left,
    next: next && ({ ...next, found } satisfies SourceCursor),
  };
}
