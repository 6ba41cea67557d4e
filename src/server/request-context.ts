import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

/** Runs `work`, and all that it starts, as part of a request. */
export const runForRequest = <Result>(requestId: string, work: () => Result): Result => current.run(requestId, work);

/** The id of the request that this is done for; undefined where nobody asked for it. */
export const currentRequestId = (): string | undefined => current.getStore();

/** What is known of a request when it has ended. `route` is the pattern, never the address: that may hold what somebody searched for. */
export interface FinishedRequest {
  method: string;
  route: string;
  status: number;
  seconds: number;
}
