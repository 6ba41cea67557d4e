import type { BulkFilter } from '#contracts/bulk.ts';
import { type BadgeFacts, badgesOf, isReadyToSend, STEP_STATUSES, type StepStatus } from '#contracts/rules/badges.ts';

/** The parts of a list query that decide which interviews it finds: everything but the page. */
export interface ListingFilter {
  /** Equal for equal filters. */
  key: string;
  /**
   * The words as the user typed them: the database lowercases them like the searched text. The
   * longest word comes first, because it matches the fewest interviews.
   */
  words: string[];
  /** Null: all funnels. Empty: none. */
  funnelIds: number[] | null;
  /** The funnels that the caller sees, whatever the query is. Null: all of them. */
  visibleFunnelIds: readonly number[] | null;
  clientNames: string[] | null;
  /** One bit for each value of `facts`: 1 where the filters by status and readiness match. */
  facts: string | null;
  from: Date | null;
  to: Date | null;
  /** True for the list of archived interviews. */
  archived: boolean;
  /** Excludes interviews that the account watched before a given time. */
  unwatchedBy: MarksUntil | null;
  /** Excludes interviews that the account reviewed before a given time. */
  unreviewedBy: MarksUntil | null;
  /** Finds only interviews with this decision of an account. */
  decidedBy: Decisions | null;
}

/** The marks of an account at a point in time. */
export interface MarksUntil {
  accountId: number;
  until: Date;
}

export interface Decisions extends MarksUntil {
  decision: 'yes' | 'no';
}

/** The parts of a filter that do not come from its query. */
export interface ListCaller extends Pick<ListingFilter, 'unwatchedBy' | 'unreviewedBy' | 'decidedBy'> {
  visibleFunnelIds: readonly number[] | null;
}

export function listingFilter(query: BulkFilter, { visibleFunnelIds, ...marks }: ListCaller): ListingFilter {
  const filter = {
    words: searchWords(query.search ?? ''),
    funnelIds: bothOf(query.funnelId?.length ? query.funnelId : null, visibleFunnelIds),
    clientNames: query.clientName?.length ? [...new Set(query.clientName)].sort() : null,
    from: query.startDate ? new Date(query.startDate) : null,
    to: query.endDate ? new Date(query.endDate) : null,
    archived: query.archived === '1',
    ...marks,
  };
  const facts = factsOf(query);
  return { key: JSON.stringify([filter, facts]), facts, visibleFunnelIds, ...filter };
}

/** Each set in ascending order, so that equal filters have equal keys. */
function bothOf(wanted: readonly number[] | null, visible: readonly number[] | null): number[] | null {
  if (wanted === null) return visible && [...visible];
  return [...new Set(wanted)].filter((id) => visible?.includes(id) ?? true).sort((a, b) => a - b);
}

type FactsRule = (facts: BadgeFacts) => boolean;

/** One bit for each value of `facts`. Null when the query finds every value. */
function factsOf({ status, ready, withoutTranscript }: BulkFilter): string | null {
  const rules: FactsRule[] = [];
  if (status !== 'all') rules.push((facts) => badgesOf(facts).includes(status));
  if (ready === '1') rules.push(isReadyToSend);
  if (withoutTranscript) rules.push(({ transcriptionStatus }) => transcriptionStatus !== 'completed');
  return rules.length === 0 ? null : factsMask((facts) => rules.every((rule) => rule(facts)));
}

const searchWords = (search: string): string[] =>
  [...new Set(search.split(/\s+/u).filter(Boolean))].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));

/** `interview.facts` has eight bits; migration 0002 defines them. */
const ALL_FACTS = Array.from({ length: 256 }, (_, facts) => facts);

/**
 * One bit for each value of `facts`: 1 where `isFound` holds for interviews with that value. The
 * rules of badges stay in contracts/rules/badges.ts. A bit string, because a list of 128 values
 * takes longer to plan than the page takes to read.
 */
const factsMask = (isFound: FactsRule): string =>
  ALL_FACTS.map((facts) => (isFound(decodeFacts(facts)) ? '1' : '0')).join('');

/** A badge depends on whether an id is present, not on which one it is. */
export const decodeFacts = (facts: number): BadgeFacts => ({
  youtubeId: facts & 1 ? 'present' : null,
  destinationId: facts & 2 ? 'present' : null,
  youtubeStatus: stepAt(facts, 2),
  transcriptionStatus: stepAt(facts, 4),
  summaryStatus: stepAt(facts, 6),
});

const stepAt = (facts: number, shift: number): StepStatus | null => STEP_STATUSES[((facts >> shift) & 3) - 1] ?? null;
