import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Interview } from '#contracts/interviews.ts';
import { Recruiter } from '#support/recruiter.ts';
import type { Observations } from './observations.ts';

interface BrowsingOptions {
  url: string;
  recruiter: Recruiter;
  observations: Observations;
  signal: AbortSignal;
}

const THINK_MS = [400, 1_600] as const;
const WORDS = ['engineer', 'shift', 'safety', 'Generated', 'anna', 'customer', 'iv_', 'lead'];
const STATUSES = ['all', 'new', 'processing', 'pending', 'sent', 'error'];
/**
 * All recordings of the sandbox are at least this long, so every range begins before the end.
 */
const MIN_VIDEO_BYTES = 60_000;
const RANGE_BYTES = 256 * 1024;

/**
 * A user who lists, filters, searches and opens interviews, watches videos, marks them as watched
 * and reads logs all the time.
 */
class BrowsingUser {
  readonly #options: BrowsingOptions;
  #seen: Interview[] = [];

  constructor(options: BrowsingOptions) {
    this.#options = options;
  }

  async browse(): Promise<void> {
    const listening = this.#listen();
    while (!this.#options.signal.aborted) {
      const beganAt = performance.now();
      await any(this.#habits)().catch((error: unknown) => this.#report(String(error), beganAt));
      await pause(between(...THINK_MS), undefined, { signal: this.#options.signal }).catch(() => {});
    }
    await listening;
  }

  readonly #habits = [
    () => this.#list('list', `page=${Math.ceil(Math.random() * 5)}`),
    () => this.#list('filter', `page=1&status=${any(STATUSES)}`),
    () => this.#list('search', `page=1&search=${encodeURIComponent(any(WORDS))}`),
    () => this.#open(),
    () => this.#watch(),
    () => this.#mark(),
    () => this.#call('logs', '/api/logs?page=1&limit=10'),
    () => this.#call('refresh status', '/api/interviews/sync/status'),
  ];

  async #list(kind: string, query: string): Promise<void> {
    const path = `/api/interviews?${query}&limit=10&texts=false`;
    const { interviews } = await this.#call<{ interviews: Interview[] }>(kind, path);
    if (interviews.length > 0) this.#seen = interviews;
  }

  async #open(): Promise<void> {
    const id = any(this.#seen)?.id;
    if (!id) return;
    await this.#call('open', `/api/interviews/${encodeURIComponent(id)}`);
    await this.#call('open', `/api/interviews/${encodeURIComponent(id)}/video`);
  }

  async #watch(): Promise<void> {
    const file = any(this.#seen.filter(({ videoFile }) => videoFile))?.videoFile;
    if (!file) return;
    const path = `/api/files/video/${file}`;
    const from = Math.floor(Math.random() * MIN_VIDEO_BYTES);
    const to = from + RANGE_BYTES - 1;
    const beganAt = performance.now();
    const brokenAt = await this.#watchRange(path, from, to);
    if (brokenAt === null) return;
    this.#options.observations.onRepeated('brokenRange', `${path}: the response ended early`, beganAt);
    // As players do.
    if ((await this.#watchRange(path, brokenAt, to)) !== null) throw new Error(`${path}: ended early twice`);
  }

  /** Returns the position at which the response ended early, or null if it is complete. */
  async #watchRange(path: string, from: number, to: number): Promise<number | null> {
    const { url, recruiter, observations } = this.#options;
    const startedAt = performance.now();
    const headers = { cookie: recruiter.cookie, range: `bytes=${from}-${to}` };
    const response = await fetch(url + path, { headers }).catch((error: Error) => {
      throw new Error(`${path}: ${error.cause ?? error}`, { cause: error });
    });
    let position = from;
    try {
      for await (const chunk of response.body ?? []) position += chunk.length;
    } catch {
      return position;
    }
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    observations.addDuration('watch', performance.now() - startedAt);
    return null;
  }

  async #mark(): Promise<void> {
    const id = any(this.#seen)?.id;
    if (!id) return;
    const beganAt = performance.now();
    const path = `/api/interviews/${encodeURIComponent(id)}/watched`;
    await this.#call('mark', path, 'POST').catch((error: unknown) => {
      if (!this.#options.signal.aborted) this.#options.observations.onRepeated('failedChange', String(error), beganAt);
    });
  }

  async #call<Body>(kind: string, path: string, method: 'GET' | 'POST' = 'GET'): Promise<Body> {
    const { recruiter, observations } = this.#options;
    const startedAt = performance.now();
    const body = await recruiter.call<Body>(method, path);
    observations.addDuration(kind, performance.now() - startedAt);
    return body;
  }

  /** Opens and closes live sockets, as browser windows do. */
  async #listen(): Promise<void> {
    const { url, recruiter, signal } = this.#options;
    const headers = { origin: url, cookie: recruiter.cookie };
    while (!signal.aborted) {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers });
      socket.on('error', (error) => this.#report(`socket: ${error.message}`));
      socket.on('open', () => socket.send(JSON.stringify({ type: 'subscribe', channel: 'system-logs' })));
      const closed = new AbortController();
      // Browsers wait up to 8 s before they connect again; a user who waits less tests more.
      socket.on('close', () => setTimeout(() => closed.abort(), between(500, 2_000)));
      const ended = AbortSignal.any([signal, closed.signal]);
      await pause(between(5_000, 30_000), undefined, { signal: ended }).catch(() => {});
      if (Math.random() < 0.5) socket.close();
      else socket.terminate();
    }
  }

  #report(message: string, beganAt?: number): void {
    if (!this.#options.signal.aborted) this.#options.observations.onProblem(message, beganAt);
  }
}

const any = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
const between = (least: number, most: number) => least + Math.random() * (most - least);

interface UsersOptions extends Omit<BrowsingOptions, 'recruiter'> {
  credentials: { username: string; password: string };
}

/** Signs users in, who browse until the signal. Resolves with a promise for each user. */
export async function startUsers(count: number, { credentials, ...options }: UsersOptions): Promise<Promise<void>[]> {
  const users: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const recruiter = await Recruiter.signIn(options.url, credentials, 'fail');
    users.push(new BrowsingUser({ ...options, recruiter }).browse());
  }
  return users;
}
