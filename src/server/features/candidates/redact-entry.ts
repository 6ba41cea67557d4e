import { ERASED_TITLE, type Pseudonym } from '#server/features/erasure/tombstones.service.ts';
import type { EntryContent } from '#server/features/logs/mentions.service.ts';
import { isRecord, patternsOf, type Traces } from './traces.ts';

export const ERASED_VALUE = '[erased]';

/**
 * Returns the entry without the candidate. Lists keep their length, so that counts stay correct.
 * Parts about the candidate's interviews keep what happened, such as the changed field or the
 * reason of a skip, without the values.
 */
export function redactEntry(entry: EntryContent, traces: Traces, pseudonym: Pseudonym): EntryContent {
  const redaction = new Redaction(traces, pseudonym);
  const isAboutOne = redaction.isAbout(entry.metadata);
  const summary = isAboutOne ? entry.summary.replace(/".*"/s, `"${ERASED_TITLE}"`) : entry.summary;
  return {
    summary: redaction.text(summary),
    details: redaction.value(entry.details),
    metadata: redaction.value(entry.metadata),
  };
}

class Redaction {
  readonly #ids: ReadonlySet<string>;
  readonly #patterns: readonly RegExp[];
  readonly #pseudonym: Pseudonym;

  constructor(traces: Traces, pseudonym: Pseudonym) {
    this.#ids = new Set(traces.ids);
    this.#patterns = patternsOf(traces);
    this.#pseudonym = pseudonym;
  }

  isAbout(value: unknown): boolean {
    return isRecord(value) && typeof value.interviewId === 'string' && this.#ids.has(value.interviewId);
  }

  text(text: string): string {
    return this.#patterns.reduce((left, pattern) => left.replace(pattern, ERASED_VALUE), text);
  }

  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (!isRecord(value)) return value;
    const isAboutOne = this.isAbout(value);
    return Object.fromEntries(Object.entries(value).map((field) => this.#field(field, isAboutOne)));
  }

  #field([name, value]: [string, unknown], isAboutOne: boolean): [string, unknown] {
    // The keys of `detailedChanges` are ids of interviews.
    if (this.#ids.has(name) && isRecord(value)) return [this.#pseudonym(name), withoutValues(value)];
    if (name === 'interviewId') return [name, this.#id(value)];
    if (name === 'updatedInterviewIds' && Array.isArray(value)) return [name, value.map((id) => this.#id(id))];
    if (isAboutOne && name === 'title') return [name, ERASED_TITLE];
    // The destination and the notes that a bulk run replaced.
    if (isAboutOne && name === 'former') return [name, withoutValues(value)];
    return [this.text(name), this.value(value)];
  }

  #id(id: unknown): unknown {
    return typeof id === 'string' && this.#ids.has(id) ? this.#pseudonym(id) : id;
  }
}

/** Keeps the names of the changed fields and replaces their values. */
function withoutValues(value: unknown): unknown {
  if (typeof value === 'string') return ERASED_VALUE;
  if (Array.isArray(value)) return value.map(withoutValues);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [name, name === 'title' ? ERASED_TITLE : withoutValues(inside)]),
  );
}
