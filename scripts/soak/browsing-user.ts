import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Latencies } from './latencies.ts';

export interface Surroundings {
  address: string;
  cookie: string;
  latencies: Latencies;
  /** Gets everything that went wrong. */
  problem(what: string): void;
  signal: AbortSignal;
}

interface Listed {
  interviews: { id: string; videoFile: string | null }[];
  total: number;
}

const THINK_MS = [400, 1_600] as const;
const WORDS = ['engineer', 'shift', 'safety', 'Generated', 'anna', 'customer', 'iv_', 'lead'];
const STATUSES = ['all', 'new', 'processing', 'pending', 'sent', 'error'];
/** Of the sandbox's recordings; a range that begins behind the end is refused. */
const SHORTEST_VIDEO_BYTES = 60_000;
const RANGE_BYTES = 256 * 1024;

/** Somebody who looks around all the time: lists, filters, searches, opens interviews, watches a little, reads logs. */
export class BrowsingUser {
  readonly #in: Surroundings;
  #seen: Listed['interviews'] = [];

  constructor(surroundings: Surroundings) {
    this.#in = surroundings;
  }

  async browse(): Promise<void> {
    const listening = this.#listen();
    while (!this.#in.signal.aborted) {
      await any(this.#habits)().catch((error: unknown) => this.#complain(String(error)));
      await pause(between(...THINK_MS), undefined, { signal: this.#in.signal }).catch(() => {});
    }
    await listening;
  }

  readonly #habits = [
    () => this.#list('list', `page=${Math.ceil(Math.random() * 5)}`),
    () => this.#list('filter', `page=1&status=${any(STATUSES)}`),
    () => this.#list('search', `page=1&search=${encodeURIComponent(any(WORDS))}`),
    () => this.#open(),
    () => this.#watch(),
    () => this.#call('logs', '/api/logs?page=1&limit=10'),
    () => this.#call('refresh status', '/api/interviews/sync/status'),
  ];

  async #list(kind: string, query: string): Promise<void> {
    const answer = await this.#call(kind, `/api/interviews?${query}&limit=10&texts=false`);
    const { interviews } = JSON.parse(answer.toString()) as Listed;
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
    const from = Math.floor(Math.random() * SHORTEST_VIDEO_BYTES);
    await this.#call('watch', `/api/files/video/${file}`, { range: `bytes=${from}-${from + RANGE_BYTES - 1}` });
  }

  async #call(kind: string, path: string, headers: Record<string, string> = {}): Promise<Buffer> {
    const { address, cookie, latencies } = this.#in;
    const startedAt = performance.now();
    const response = await fetch(address + path, { headers: { cookie, ...headers } });
    const body = Buffer.from(await response.arrayBuffer());
    latencies.add(kind, performance.now() - startedAt);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${body.toString().slice(0, 200)}`);
    return body;
  }

  /** Windows are opened and closed again. */
  async #listen(): Promise<void> {
    const { address, cookie, signal } = this.#in;
    while (!signal.aborted) {
      const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`, { headers: { origin: address, cookie } });
      socket.on('error', (error) => this.#complain(`socket: ${error.message}`));
      socket.on('open', () => socket.send(JSON.stringify({ type: 'subscribe', channel: 'system-logs' })));
      await pause(between(5_000, 30_000), undefined, { signal }).catch(() => {});
      if (Math.random() < 0.5) socket.close();
      else socket.terminate();
    }
  }

  #complain(what: string): void {
    if (!this.#in.signal.aborted) this.#in.problem(what);
  }
}

const any = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
const between = (least: number, most: number) => least + Math.random() * (most - least);
