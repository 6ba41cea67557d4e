import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { z } from 'zod';
import { AtsHttp, type AtsResponse, type AtsRestCall } from '#server/adapters/ats-http/ats-http.ts';
import type { OutgoingProxy } from '#server/adapters/outside-http/outgoing-proxy.ts';
import { outsideAgent } from '#server/adapters/outside-http/outside-call.ts';
import type { AtsConnectionStore } from '#server/ports/ats-connection.ts';
import { rememberSecret } from '#server/ports/sent-secrets.ts';
import type { UpstreamError } from '#server/ports/upstream-error.ts';

export interface LeverOptions {
  apiKey: string;
  url: string;
  connection: AtsConnectionStore;
  proxy?: OutgoingProxy | undefined;
  timeoutMs?: number | undefined;
  limitDelayMs?: number | undefined;
}

const CONNECTIONS = 8;
/**
 * Minimum interval between the starts of two calls of all processes. Lever allows 10 calls per
 * second and key; calls that are delayed on their way may arrive closer together.
 */
const PACE_MS = 112;
const PAGE_SIZE = 100;

const Page = z.object({ data: z.array(z.unknown()), next: z.string().nullish(), hasNext: z.boolean().nullish() });

/** Calls Lever at a limited rate, and stops once it has rejected the key. */
export class LeverClient {
  readonly http: AtsHttp;
  readonly #url: string;
  readonly #authorization: string;
  readonly #connection: AtsConnectionStore;
  readonly #starts = new PQueue({ concurrency: 1 });
  #lastStartAt = 0;

  constructor({ apiKey, url, connection, proxy, timeoutMs, limitDelayMs }: LeverOptions) {
    const dispatcher = outsideAgent({ connections: CONNECTIONS }, proxy);
    this.http = new AtsHttp({ service: 'Lever', variable: 'LEVER_URL', dispatcher, timeoutMs, limitDelayMs });
    this.#url = url;
    this.#authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;
    this.#connection = connection;
    for (const secret of [apiKey, this.#authorization]) rememberSecret(secret);
  }

  /** @throws UpstreamError, or the signal's reason */
  call({ method, path, fields }: AtsRestCall, signal: AbortSignal): Promise<AtsResponse> {
    const call = { method, fields, url: this.#url + path, headers: { authorization: this.#authorization } };
    return this.http.within(signal, async (limited) => {
      if ((await this.#connection.read()).state === 'reconnect') throw this.#keyError();
      const response = await this.http.send(call, limited, (waiting) => this.#pace(waiting));
      if (response.status === 401) await this.#giveUp();
      if (response.status === 403) throw this.#deniedError(path, response);
      return response;
    });
  }

  async get<T>(path: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    return this.http.read(await this.call({ method: 'GET', path }, signal), schema);
  }

  /** Returns the rows that `schema` accepts, from at most `maxPages` pages. */
  async list<T>(
    path: string,
    query: readonly (readonly [name: string, value: string])[],
    { schema, maxPages }: { schema: z.ZodType<T>; maxPages: number },
    signal: AbortSignal,
  ): Promise<T[]> {
    const rows: T[] = [];
    const parameters = new URLSearchParams({ limit: String(PAGE_SIZE) });
    for (const [name, value] of query) parameters.append(name, value);
    for (let page = 0; page < maxPages; page += 1) {
      const { data, next, hasNext } = await this.get(`${path}?${parameters}`, Page, signal);
      rows.push(...data.flatMap((row) => schema.safeParse(row).data ?? []));
      if (!hasNext || !next) break;
      parameters.set('offset', next);
    }
    return rows;
  }

  /**
   * Spaces the calls of all processes. In this one it also measures from the last actual start,
   * because timers may fire late.
   */
  #pace(signal: AbortSignal): Promise<void> {
    const start = async () => {
      const waitMs = await this.#connection.reserveCall(PACE_MS);
      await sleep(Math.max(waitMs, this.#lastStartAt + PACE_MS - Date.now()), undefined, { signal });
      this.#lastStartAt = Date.now();
    };
    return this.#starts.add(start, { signal });
  }

  async #giveUp(): Promise<never> {
    await this.#connection.change(async (current) => ({ ...current, state: 'reconnect' }));
    throw this.#keyError();
  }

  #keyError(): UpstreamError {
    const message = 'Lever rejected our key. Ask an admin to set LEVER_API_KEY to a valid key and restart the server.';
    return this.http.error('unauthorised', message);
  }

  #deniedError(path: string, response: AtsResponse): UpstreamError {
    const subject = path.includes('/notes') ? 'notes' : (/^\/(\w+)/.exec(path)?.[1] ?? '');
    const { message } = this.http.refused(response);
    return this.http.error('rejected', `${message} Ask an admin for a key with permission for ${subject}.`);
  }
}
