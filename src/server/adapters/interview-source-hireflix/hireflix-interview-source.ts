import { z } from 'zod';
import { interviewsError } from '#server/adapters/interview-source-rest/call-error.ts';
import { cleanText, STORABLE } from '#server/adapters/outside-http/clean-text.ts';
import {
  type CreatedRange,
  type InterviewSource,
  isInRange,
  type SourceAccess,
  type SourceCursor,
  type SourceInterview,
  type SourcePage,
} from '#server/ports/interview-source.ts';
import { INTERVIEWS_OF_POSITION, ONE_INTERVIEW, POSITIONS } from './documents.ts';
import { HireflixClient, type HireflixClientOptions } from './hireflix-client.ts';
import { type Position, type ReadRow, readHireflix } from './read-hireflix.ts';

export interface HireflixSourceOptions extends HireflixClientOptions {
  pageSize?: number;
}

/** The largest page that other clients request. */
const PAGE_SIZE = 50;
const MAX_ROWS = 1_000_000;
const MAX_LINE_LENGTH = 1_000;
const MAX_DESCRIPTION_LENGTH = 50_000;
const MAX_CURSOR_LENGTH = 8_192;

/** The position in a list, and facts about the pages before it. */
const Cursor = z.object({
  after: z.string().nullable(),
  rows: z.int().nonnegative(),
  /** Interviews of the range. */
  found: z.int().nonnegative(),
  /** The longest time between an invitation and its recording so far. */
  longestWaitMs: z.number().nullable(),
});
type Cursor = z.infer<typeof Cursor>;
const START: Cursor = { after: null, rows: 0, found: 0, longestWaitMs: null };

const line = z.string().nullish().catch(null);
const PositionData = z.object({ name: line, description: line });
const List = z.object({
  results: z.array(z.unknown()),
  lastCursor: z.string().max(MAX_CURSOR_LENGTH).regex(STORABLE).nullish(),
  // A larger total counts as 0, because a longer list is not read.
  total: z.int().nonnegative().max(MAX_ROWS).catch(0),
});
const ListData = z.object({ position: PositionData.extend({ interviewList: List }).nullable() });
const OneData = z.object({ interview: z.unknown(), position: PositionData.nullish().catch(null) });
const PositionsData = z.object({ positions: z.array(z.unknown()) });
const ListedPosition = z.object({ id: z.string().min(1).max(200), name: line, archived: z.unknown().optional() });

/** Hireflix: GraphQL, a list by cursor, one signed video per question. */
export function hireflixInterviewSource({ pageSize = PAGE_SIZE, ...options }: HireflixSourceOptions): InterviewSource {
  const client = new HireflixClient(options);
  const { vendor } = client;

  async function readList(
    { funnelId, apiKey }: SourceAccess,
    after: string | null,
    limit: number,
    signal: AbortSignal,
  ) {
    const variables = { position: funnelId.toWellFormed(), limit, cursor: after };
    const data = await client.query(apiKey, { documents: INTERVIEWS_OF_POSITION, variables }, signal);
    const parsed = ListData.safeParse(data);
    if (!parsed.success) throw vendor.badAnswer();
    if (!parsed.data.position)
      throw interviewsError(
        'not_found',
        `Hireflix has no position "${funnelId}" that this API key can read. Check the API key and the Funnel ID.`,
      );
    return { position: positionOf(parsed.data.position), list: parsed.data.position.interviewList };
  }

  return {
    async page(access, range, cursor, signal) {
      const at = cursor === null ? START : Cursor.parse(cursor);
      const { position, list } = await readList(access, at.after, pageSize, signal);
      if (list.results.length > pageSize) throw vendor.badAnswer();
      const end = at.rows + list.results.length;
      const isStuck = list.results.length > 0 && (list.lastCursor ?? at.after) === at.after;
      if (isStuck || end > MAX_ROWS) throw vendor.endless(end);
      const rows = list.results.map((raw, index) => readHireflix(raw, position, `#${at.rows + index + 1}`));
      return toPage(rows, { range, at, total: list.total, lastCursor: list.lastCursor ?? null });
    },

    async find({ funnelId, apiKey }, { id }, signal) {
      const variables = { id, position: funnelId.toWellFormed() };
      const data = OneData.safeParse(await client.query(apiKey, { documents: ONE_INTERVIEW, variables }, signal));
      if (!data.success) throw vendor.badAnswer();
      const { interview, position } = data.data;
      return interview ? readHireflix(interview, positionOf(position ?? {}), id).interview : null;
    },

    async check(access, signal) {
      const { position, list } = await readList(access, null, 1, signal);
      return { name: position.name ?? access.funnelId, interviews: list.total };
    },

    async positions({ apiKey }, signal) {
      const data = PositionsData.safeParse(await client.query(apiKey, { documents: POSITIONS, variables: {} }, signal));
      if (!data.success) throw vendor.badAnswer();
      return data.data.positions.flatMap((raw) => {
        const { data: listed } = ListedPosition.safeParse(raw);
        if (!listed) return [];
        const { id, name, archived } = listed;
        return [{ id, name: cleanText(name, MAX_LINE_LENGTH) ?? id, isArchived: archived === true }];
      });
    },
  };
}

const positionOf = ({ name, description }: Partial<z.infer<typeof PositionData>>): Position => ({
  name: cleanText(name, MAX_LINE_LENGTH),
  description: cleanText(description, MAX_DESCRIPTION_LENGTH),
});

interface ListPlace {
  range: CreatedRange;
  at: Cursor;
  total: number;
  lastCursor: string | null;
}

function toPage(rows: readonly ReadRow[], { range, at, total, lastCursor }: ListPlace): SourcePage {
  const recorded = rows.flatMap(({ interview }) => interview ?? []);
  const interviews = recorded.filter(({ recordedAt }) => isInRange(recordedAt, range));
  const unreadable = rows.flatMap((row) => row.unreadable ?? []);
  const next: Cursor = {
    after: lastCursor,
    rows: at.rows + rows.length,
    found: at.found + interviews.length + unreadable.length,
    longestWaitMs: longestWait(recorded, at.longestWaitMs),
  };
  // Only an empty page marks the end, because every page has a cursor.
  const isEnd = rows.length === 0 || (range.createdAfter !== null && isPast(rows, range.createdAfter, next));
  // The total includes invitations without a recording, and ignores the range.
  const left = isEnd ? 0 : Math.max(0, total - next.rows);
  return {
    interviews,
    unreadable,
    total: next.found + left,
    next: isEnd ? null : ({ ...next } satisfies SourceCursor),
  };
}

const longestWait = (recorded: readonly SourceInterview[], before: number | null): number | null => {
  const waits = recorded.flatMap(({ createdAt, recordedAt }) =>
    createdAt && recordedAt ? [recordedAt.getTime() - createdAt.getTime()] : [],
  );
  return waits.length === 0 ? before : Math.max(before ?? 0, ...waits);
};

/**
 * The list begins with the newest invitation, and candidates record after they are invited. Older
 * invitations are skipped when their candidates would have needed twice the longest time so far.
 */
function isPast(rows: readonly ReadRow[], createdAfter: Date, { longestWaitMs }: Cursor): boolean {
  if (longestWaitMs === null) return false;
  const invited = rows.map(({ createdAt }) => createdAt?.getTime() ?? Number.NaN);
  const isNewestFirst = invited.every((time, index) => index === 0 || time <= (invited[index - 1] ?? Number.NaN));
  return isNewestFirst && (invited.at(-1) ?? Number.NaN) + 2 * longestWaitMs < createdAfter.getTime();
}
