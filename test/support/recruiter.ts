import type { Funnel, FunnelForm } from '#contracts/funnels.ts';
import type { Interview } from '#contracts/interviews.ts';
import type { RefreshStatus, Timeframe } from '#contracts/sync.ts';
import { repeatWhenBusy } from '#support/repeat-when-busy.ts';
import { until } from '#support/until.ts';

const sendOnce: typeof repeatWhenBusy = (send) => send();

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A signed-in user without a browser, who prepares the data of a journey. */
export class Recruiter {
  readonly #url: string;
  readonly cookie: string;

  readonly #send: typeof repeatWhenBusy;

  private constructor(url: string, cookie: string, send: typeof repeatWhenBusy) {
    this.#url = url;
    this.cookie = cookie;
    this.#send = send;
  }

  /** `whenBusy` is "fail" for measurements, which count the requests that an overload refuses. */
  static async signIn(
    url: string,
    credentials: { username: string; password: string },
    whenBusy: 'repeat' | 'fail' = 'repeat',
  ): Promise<Recruiter> {
    const send = whenBusy === 'repeat' ? repeatWhenBusy : sendOnce;
    const { response, text } = await send(async () => {
      const response = await fetch(`${url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(credentials),
      });
      return { response, status: response.status, text: await response.text() };
    });
    if (!response.ok) throw new Error(`The sign-in failed: ${response.status} ${text}`);
    return new Recruiter(url, response.headers.getSetCookie()[0]?.split(';')[0] ?? '', send);
  }

  /** @throws CallFailed unless the status is 2xx and the response is complete */
  async call<Result>(method: Method, path: string, body?: unknown): Promise<Result> {
    const fail = (text: string, status = 0) => {
      throw new CallFailed(`${method} ${path}: ${text}`, status);
    };
    const { ok, status, text } = await this.#send(async () => {
      const response = await fetch(this.#url + path, {
        method,
        headers: { cookie: this.cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).catch((error: Error) => fail(String(error.cause ?? error)));
      const text = await response.text().catch(() => fail(`the response with ${response.status} ended early`));
      return { ok: response.ok, status: response.status, text };
    });
    if (!ok) fail(`${status} ${text}`, status);
    return JSON.parse(text) as Result;
  }

  funnel(form: Partial<FunnelForm> = {}): Promise<Funnel> {
    return this.call('POST', '/api/funnels', { name: 'Warehouse', apiKey: 'key', funnelId: 'warehouse', ...form });
  }

  /** Creates funnels. The first one becomes the active funnel. */
  async connect(...funnels: readonly (Partial<FunnelForm> | undefined)[]): Promise<Funnel[]> {
    const created: Funnel[] = [];
    for (const form of funnels) created.push(await this.funnel(form));
    if (created[0]) await this.activate(created[0]);
    return created;
  }

  activate({ id }: Funnel): Promise<unknown> {
    return this.call('POST', `/api/funnels/${id}/activate`);
  }

  startRefresh(timeframe: Timeframe = 'all'): Promise<unknown> {
    return this.call('GET', `/api/interviews/sync?timeframe=${timeframe}`);
  }

  /** Refreshes each funnel and waits for the end. Afterwards the first one is the active funnel. */
  async refresh(...funnels: readonly Funnel[]): Promise<void> {
    for (const funnel of funnels.toReversed()) {
      await this.activate(funnel);
      await this.startRefresh();
      const { error } = await this.refreshEnded();
      if (error !== null) throw new Error(`The refresh of ${funnel.name} failed: ${error}`);
    }
  }

  refreshEnded(): Promise<RefreshStatus> {
    return until(
      'the refresh ends',
      async () => {
        const status = await this.call<RefreshStatus>('GET', '/api/interviews/sync/status');
        return status.inProgress ? null : status;
      },
      30_000,
    );
  }

  async interviews(query = ''): Promise<Interview[]> {
    return (await this.call<{ interviews: Interview[] }>('GET', `/api/interviews?limit=100&${query}`)).interviews;
  }

  async deleteAllFunnels(): Promise<void> {
    for (const { id } of await this.call<Funnel[]>('GET', '/api/funnels'))
      await this.call('DELETE', `/api/funnels/${id}`);
  }
}

export class CallFailed extends Error {
  /** 0 when no complete response arrived. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}
