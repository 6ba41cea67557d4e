import type { BrowserContext } from '@playwright/test';

/** The errors and warnings of a browser console. A journey fails when one was not allowed. */
export interface ConsoleWatch {
  /**
   * Allows a failed request by its status, or `cut` for a lost connection, and a part of its URL.
   */
  allow(status: number | 'cut', urlPart: string): void;
  /** Allows messages that contain the text. */
  allowText(text: string): void;
  readonly problems: readonly string[];
}

const FAILED = /^Failed to load resource: the server responded with a status of (\d+)/;
const CUT = /^Failed to load resource: net::ERR_/;
const failureOf = (text: string) => (CUT.test(text) ? 'cut' : Number(FAILED.exec(text)?.[1] ?? 0));

/** Collects errors and warnings of all pages of a browser context. */
export function watchConsole(context: BrowserContext): ConsoleWatch {
  // The application asks for the user before sign-in.
  const allowed: { status: number | 'cut'; urlPart: string }[] = [{ status: 401, urlPart: '/api/user' }];
  const seen: { text: string; status: number | 'cut'; url: string }[] = [];
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const { url } = message.location();
    seen.push({ text: message.text(), status: failureOf(message.text()), url });
  });
  context.on('weberror', (error) => seen.push({ text: String(error.error().stack), status: 0, url: '' }));
  const allowedTexts: string[] = [];
  const isAllowed = ({ status, url }: { status: number | 'cut'; url: string }) =>
    allowed.some((request) => request.status === status && status !== 0 && url.includes(request.urlPart));
  return {
    allow: (status, urlPart) => void allowed.push({ status, urlPart }),
    allowText: (text) => void allowedTexts.push(text),
    get problems() {
      const isUnexpected = ({ text }: { text: string }) => !allowedTexts.some((allowed) => text.includes(allowed));
      return seen
        .filter((problem) => !isAllowed(problem) && isUnexpected(problem))
        .map(({ text, url }) => `${text} ${url}`);
    },
  };
}
