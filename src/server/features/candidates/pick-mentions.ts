import { type EntryTexts, isRecord, searchedTexts, type Traces, wholeText } from './traces.ts';

/**
 * Returns the parts of a log entry that mention the candidate, without those about others; null
 * when there are none.
 */
export function pickMentions(entry: EntryTexts, traces: Traces): Partial<EntryTexts> | null {
  const picking = new Picking(traces);
  if (picking.isAbout(entry.metadata)) return entry;
  const picked = picking.fields({ ...entry });
  return picked as Partial<EntryTexts> | null;
}

class Picking {
  readonly #ids: ReadonlySet<unknown>;
  readonly #patterns: readonly RegExp[];

  constructor(traces: Traces) {
    this.#ids = new Set(traces.ids);
    this.#patterns = searchedTexts(traces).map(wholeText);
  }

  isAbout(value: unknown): boolean {
    return isRecord(value) && this.#ids.has(value.interviewId);
  }

  fields(value: Record<string, unknown>): Record<string, unknown> | null {
    const picked = Object.entries(value).flatMap(([name, inside]) => {
      const kept = this.#ids.has(name) ? inside : this.#value(inside);
      return kept === null ? [] : [[name, kept] as const];
    });
    return picked.length > 0 ? Object.fromEntries(picked) : null;
  }

  #value(value: unknown): unknown {
    if (typeof value === 'string') return this.#mentions(value) ? value : null;
    if (Array.isArray(value)) {
      const picked = value.map((item) => this.#value(item)).filter((item) => item !== null);
      return picked.length > 0 ? picked : null;
    }
    if (!isRecord(value)) return null;
    return this.isAbout(value) ? value : this.fields(value);
  }

  #mentions(text: string): boolean {
    return this.#ids.has(text) || this.#patterns.some((pattern) => text.search(pattern) >= 0);
  }
}
