import { createHash } from 'node:crypto';
import type { HireflixInterview } from './hireflix-interview.ts';
import { HIREFLIX_MEDIA, HIREFLIX_POSITIONS } from './initial-hireflix.ts';

export interface HireflixGrowth {
  answers: number;
  /** The size of each video. */
  videoBytes: number;
  /** Videos of 1.5 seconds that can be joined quickly. */
  isShort?: boolean | undefined;
}

interface Page {
  results: HireflixInterview[];
  lastCursor: string;
  count: number;
  total: number;
}

/** The interviews of the first position, and the signatures of their files. */
export class HireflixStore {
  readonly #origin: string;
  readonly #initial: readonly HireflixInterview[];
  #interviews: HireflixInterview[] = [];
  #grown = 0;
  /** Part of each signature. A change invalidates all signatures. */
  #era = 1;

  constructor(origin: string, initial: readonly HireflixInterview[]) {
    this.#origin = origin;
    this.#initial = initial;
    this.reset();
  }

  reset(): void {
    this.#interviews = [...this.#initial];
    this.#grown = 0;
    this.#era += 1;
  }

  list(positionId: string): HireflixInterview[] {
    if (positionId !== HIREFLIX_POSITIONS[0]?.id) return [];
    return this.#interviews.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  }

  find(id: string): HireflixInterview | null {
    return this.#interviews.find((interview) => interview.id === id) ?? null;
  }

  /** An existing id is replaced. */
  add(...interviews: HireflixInterview[]): void {
    const added = new Set(interviews.map(({ id }) => id));
    this.#interviews = [...this.#interviews.filter(({ id }) => !added.has(id)), ...interviews];
  }

  remove(id: string): boolean {
    const before = this.#interviews.length;
    this.#interviews = this.#interviews.filter((interview) => interview.id !== id);
    return this.#interviews.length < before;
  }

  /** Adds completed interviews, a minute apart and older than the initial ones. */
  grow(count: number, { answers, videoBytes, isShort }: HireflixGrowth): void {
    const from = this.#grown;
    this.#grown += count;
    this.add(
      ...Array.from({ length: count }, (_, index) => {
        const number = from + index + 1;
        const id = `hfx_g${String(number).padStart(6, '0')}`;
        const createdAt = Date.UTC(2026, 0, 1) + number * 60_000;
        return {
          id,
          status: 'completed',
          createdAt,
          completedAt: createdAt + 30_000,
          candidate: { fullName: `Candidate ${number}`, email: `candidate.${number}@example.com` },
          questions: Array.from({ length: answers }, (_, at) => ({
            id: `q_${at}`,
            title: `Question ${at + 1}`,
            answered: createdAt + 30_000,
            answer: {
              id: `${id}_${at}`,
              url: `${HIREFLIX_MEDIA}/${isShort ? 'short' : 'generated'}/${videoBytes}/${id}-${at}.mp4`,
              encoded: true,
            },
          })),
        };
      }),
    );
  }

  /** Returns a cursor with every page, also with the empty one after the last. */
  page(positionId: string, limit: number, cursor: string | null): Page {
    const all = this.list(positionId);
    const after = cursor === null ? -1 : all.findIndex((interview) => cursorOf(interview) === cursor);
    const past = cursor !== null && after < 0 ? all.findIndex((interview) => isAfter(interview, cursor)) : after + 1;
    const results = past < 0 ? [] : all.slice(past, past + limit);
    const last = results.at(-1);
    const lastCursor = last ? cursorOf(last) : (cursor ?? 'MHw');
    return { results, lastCursor, count: results.length, total: all.length };
  }

  sign(path: string | null | undefined): string | null {
    if (!path) return path ?? null;
    if (!path.startsWith('/')) return path;
    return `${this.#origin}${path}?Expires=${this.#era}&Signature=${signatureOf(path, this.#era)}&Key-Pair-Id=SANDBOX`;
  }

  isSigned(path: string, query: URLSearchParams): boolean {
    return query.get('Expires') === String(this.#era) && query.get('Signature') === signatureOf(path, this.#era);
  }

  /** Refuses all URLs signed so far, as time does at the real service. */
  expireSignatures(): void {
    this.#era += 1;
  }
}

const cursorOf = ({ createdAt, id }: HireflixInterview) => Buffer.from(`${createdAt}|${id}`).toString('base64url');

/** True for interviews after a cursor, whose own interview may have been deleted. */
function isAfter(interview: HireflixInterview, cursor: string): boolean {
  const [createdAt = '0', id = ''] = Buffer.from(cursor, 'base64url').toString().split('|');
  return interview.createdAt < Number(createdAt) || (interview.createdAt === Number(createdAt) && interview.id < id);
}

const signatureOf = (path: string, era: number) =>
  createHash('sha256').update(`${path} ${era}`).digest('base64url').slice(0, 24);
