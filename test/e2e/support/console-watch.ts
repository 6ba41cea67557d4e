import type { BrowserContext } from '@playwright/test';

/** What the browser's console may say besides nothing. */
export interface ConsoleWatch {
  /** A request that this journey expects to fail: its status, or that the line is cut, and a part of its address. */
  allow(status: number | 'cut', address: string): void;
  /** What was printed and not allowed. */
  readonly problems: readonly string[];
}

const FAILED = /^Failed to load resource: the server responded with a status of (\d+)/;
const CUT = /^Failed to load resource: net::ERR_/;
const failureOf = (text: string) => (CUT.test(text) ? 'cut' : Number(FAILED.exec(text)?.[1] ?? 0));

/** Collects errors and warnings of all pages of a browser context. */
export function watchConsole(context: BrowserContext): ConsoleWatch {
  // Nobody knows who is there before it is asked.
  const allowed: { status: number | 'cut'; address: string }[] = [{ status: 401, address: '/api/user' }];
  const seen: { text: string; status: number | 'cut'; url: string }[] = [];
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const { url } = message.location();
    seen.push({ text: message.text(), status: failureOf(message.text()), url });
  });
  context.on('weberror', (error) => seen.push({ text: String(error.error().stack), status: 0, url: '' }));
  return {
    allow: (status, address) => void allowed.push({ status, address }),
    get problems() {
      return seen
        .filter(
          ({ status, url }) =>
            !allowed.some((one) => one.status === status && status !== 0 && url.includes(one.address)),
        )
        .map(({ text, url }) => `${text} ${url}`);
    },
  };
}
