import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from '#contracts/logs.ts';

const current = new AsyncLocalStorage<{ actor: Actor }>();

/** The server: timers, and jobs that no user started. */
export const SYSTEM: Actor = { kind: 'system', accountId: null, name: null, address: null, requestId: null };

/** Runs `work`, and everything it starts, on behalf of `actor`. */
export const runAs = <Result>(actor: Actor, work: () => Result): Result => current.run({ actor }, work);

export const currentActor = (): Actor => current.getStore()?.actor ?? SYSTEM;

/** Makes an account the actor of the current request, which is anonymous until then. */
export function identifyActor({ accountId, username }: { accountId: number; username: string }): void {
  const context = current.getStore();
  if (context) context.actor = { ...context.actor, kind: 'account', accountId, name: username };
}

export interface FinishedRequest {
  method: string;
  /** The pattern, not the URL: a URL may contain search terms. */
  route: string;
  status: number;
  seconds: number;
}
