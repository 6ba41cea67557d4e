import type { EntryContent } from '#server/features/logs/mentions.service.ts';

/** The texts that identify a candidate in log entries. */
export interface Traces {
  /** Ids of the candidate's interviews. */
  ids: readonly string[];
  /** Names, addresses, phone numbers, file names and URLs. */
  texts: readonly string[];
}

/** Shorter texts also occur where the candidate is not meant. */
const MIN_TEXT_LENGTH = 3;
/** Shorter ids are recognized only in the fields that contain ids. */
const MIN_ID_LENGTH = 6;

/**
 * Everything to search for in running text. Longest first, so that an email is replaced before the
 * name in it.
 */
export const searchedTexts = ({ ids, texts }: Traces): string[] =>
  [
    ...new Set([
      ...texts.map((text) => text.trim()).filter((text) => text.length >= MIN_TEXT_LENGTH),
      ...ids.filter((id) => id.length >= MIN_ID_LENGTH),
    ]),
  ].sort((a, b) => b.length - a.length);

/**
 * How log entries may contain the traces: as ids of their interviews, or in their texts. Quotes are
 * escaped in JSON, and short ids are whole values there.
 */
export const mentionQuery = (traces: Traces) => ({
  ids: traces.ids,
  texts: searchedTexts(traces),
  jsonTexts: [
    ...searchedTexts(traces).map((text) => JSON.stringify(text).slice(1, -1)),
    ...traces.ids.map((id) => JSON.stringify(id)),
  ],
});

/** Matches the text as whole words only. */
const wholeText = (text: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'giu');

/** Matches everything that `searchedTexts` returns, in its order. */
export const patternsOf = (traces: Traces): RegExp[] => searchedTexts(traces).map(wholeText);

/** Matches each word of the text as `wholeText` does: searches find the words in any order. */
export const wholeWords = (text: string): RegExp[] => text.split(/\s+/).filter(Boolean).map(wholeText);

const PERSONAL_FIELDS = ['candidateName', 'candidateEmail', 'candidatePhone'];

/** Earlier names, emails and phone numbers: refreshes log the values they replace. */
export function formerValues({ details }: EntryContent, ids: readonly string[]): string[] {
  const changes = field(details, 'detailedChanges');
  return ids.flatMap((id) => {
    const fields = field(field(changes, id), 'fields');
    return PERSONAL_FIELDS.flatMap((name) =>
      ['oldValue', 'newValue']
        .map((which) => field(field(fields, name), which))
        .filter((text) => typeof text === 'string'),
    );
  });
}

const field = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
