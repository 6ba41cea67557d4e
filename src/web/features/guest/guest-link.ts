import type { ClientVerdict, SharedItem, SharedPage } from '#contracts/shares.ts';
import { createStore } from '#web/lib/store.ts';

/** The data that the server embeds in the page. It contains nothing about candidates. */
export interface Greeting {
  recipient: string;
  sender: string;
  needsPasscode: boolean;
}

/** Null for a link that no longer works. */
export function readGreeting(): Greeting | null {
  const content = document.querySelector<HTMLMetaElement>('meta[name=greeting]')?.content;
  return content ? (JSON.parse(content) as Greeting | null) : null;
}

/** An error from the server, with a message for the recipient. */
export class LinkError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const OFFLINE = "The page can't reach the server. Check your connection and try again.";

/** Builds URLs below the link, which is the page itself. */
export const linkUrl = (path: string): string => `${location.pathname.replace(/\/$/, '')}/${path}`;

async function call(method: string, path: string, body?: unknown, keepalive = false): Promise<Response> {
  const response = await fetch(linkUrl(path), {
    method,
    keepalive,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => {
    throw new LinkError(0, OFFLINE);
  });
  if (response.ok) return response;
  const refusal = (await response.json().catch(() => ({}))) as { message?: string };
  throw new LinkError(response.status, refusal.message ?? OFFLINE);
}

export const openLink = async (passcode: string | null): Promise<void> =>
  void (await call('POST', 'open', { passcode }));

export const loadPage = async (): Promise<SharedPage> => (await call('GET', 'items')).json();

const lastVerdict = createStore<Promise<unknown>>(Promise.resolve());

type SaveVerdict = (n: number, verdict: ClientVerdict, note: string | null) => Promise<unknown>;

/** Saves a verdict while the page is closing, without waiting for an earlier one. */
export const saveLastVerdict: SaveVerdict = (n, verdict, note) => call('PUT', 'verdict', { n, verdict, note }, true);

/**
 * Sends verdicts one after the other, so that the last choice is the one that is stored. One that
 * is being sent is also stored when the page closes.
 */
export const saveVerdict: SaveVerdict = (n, verdict, note) => {
  const saved = lastVerdict
    .get()
    .catch(() => {})
    .then(() => saveLastVerdict(n, verdict, note));
  lastVerdict.set(saved);
  return saved;
};

export const saveComment = async (
  n: number,
  atSeconds: number,
  body: string,
): Promise<SharedItem['comments'][number]> => (await call('POST', 'comments', { n, atSeconds, body })).json();

/** Also works while the page is closing. */
export const saveWatched = async (n: number, ranges: readonly (readonly [number, number])[]): Promise<void> =>
  void (await call('POST', 'watched', { n, ranges }, true));
