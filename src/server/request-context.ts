import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

/** Runs `work`, and everything it starts, in the context of a request. */
export const runForRequest = <Result>(requestId: string, work: () => Result): Result => current.run(requestId, work);

/** Undefined outside a request. */
export const currentRequestId = (): string | undefined => current.getStore();

export interface FinishedRequest {
  method: string;
  /** The pattern, not the URL: a URL may contain search terms. */
  route: string;
  status: number;
  seconds: number;
}
