import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { Recruiter } from '#support/recruiter.ts';
import type { Observations } from './observations.ts';

interface BrowsingOptions {
  address: string;
  cookie: string;
  observations: Observations;
  signal: AbortSignal;
}

interface InterviewPage {
  interviews: { id: string; videoFile: string | null }[];
  total: number;
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
  #seen: InterviewPage['interviews'] = [];

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
    const response = await this.#call(kind, `/api/interviews?${query}&limit=10&texts=false`);
    const { interviews } = JSON.parse(response.toString()) as InterviewPage;
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
    const from = Math.floor(Math.random() * MIN_VIDEO_BYTES);
    const range = (start: number) => ({ headers: { range: `bytes=${start}-${from + RANGE_BYTES - 1}` } });
    const path = `/api/files/video/${file}`;
    const { received, isComplete } = await this.#send('watch', path, range(from));
    if (isComplete) return;
    this.#options.observations.onBrokenRange(path);
    // As players do.
    await this.#call('watch', path, range(from + received.length));
  }

  async #mark(): Promise<void> {
    const id = any(this.#seen)?.id;
    if (!id) return;
    const beganAt = performance.now();
    const path = `/api/interviews/${encodeURIComponent(id)}/watched`;
    await this.#call('mark', path, { method: 'POST' }).catch((error: unknown) => {
      if (!this.#options.signal.aborted) this.#options.observations.onFailedChange(String(error), beganAt);
    });
  }

  async #call(kind: string, path: string, request: SentRequest = {}): Promise<Buffer> {
    const { received, isComplete } = await this.#send(kind, path, request);
    if (!isComplete) throw new Error(`${path}: the response ended early`);
    return received;
  }

  async #send(kind: string, path: string, { method = 'GET', headers }: SentRequest): Promise<ReceivedBody> {
    const { address, cookie, observations } = this.#options;
    const startedAt = performance.now();
    const response = await fetch(address + path, { method, headers: { cookie, ...headers } }).catch((cause: Error) => {
      throw new Error(`${path}: ${cause.message} (${(cause.cause as Error | undefined)?.message})`, { cause });
    });
    const received = await receive(response);
    observations.addDuration(kind, performance.now() - startedAt);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${received.received.toString().slice(0, 200)}`);
    return received;
  }

  /** Opens and closes live sockets, as browser windows do. */
  async #listen(): Promise<void> {
    const { address, cookie, signal } = this.#options;
    while (!signal.aborted) {
      const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`, { headers: { origin: address, cookie } });
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

interface SentRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
}

interface ReceivedBody {
  received: Buffer;
  isComplete: boolean;
}

/** Keeps what arrived before the connection broke. */
async function receive({ body }: Response): Promise<ReceivedBody> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body ?? []) chunks.push(chunk);
    return { received: Buffer.concat(chunks), isComplete: true };
  } catch {
    return { received: Buffer.concat(chunks), isComplete: false };
  }
}

const any = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
const between = (least: number, most: number) => least + Math.random() * (most - least);

interface UsersOptions extends Omit<BrowsingOptions, 'cookie'> {
  credentials: { username: string; password: string };
}

/** Signs users in, who browse until the signal. Resolves with a promise for each user. */
export async function startUsers(count: number, { credentials, ...options }: UsersOptions): Promise<Promise<void>[]> {
  const users: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const { cookie } = await Recruiter.signIn(options.address, credentials);
    users.push(new BrowsingUser({ ...options, cookie }).browse());
  }
  return users;
}
