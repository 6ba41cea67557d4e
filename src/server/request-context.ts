import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from '#contracts/logs.ts';

interface Context {
  actor: Actor;
  /** The funnels that the caller of a request sees. Null: all, as for jobs and commands. */
  funnelIds: readonly number[] | null;
}

const current = new AsyncLocalStorage<Context>();

/** The server: timers, and jobs that no user started. */
export const SYSTEM: Actor = { kind: 'system', accountId: null, name: null, address: null, requestId: null };

/**
 * Runs `work`, and everything it starts, on behalf of `actor`. The work sees all funnels: what a
 * request may touch is decided before its jobs are enqueued.
 */
export const runAs = <Result>(actor: Actor, work: () => Result): Result =>
  current.run({ actor, funnelIds: null }, work);

export const currentActor = (): Actor => current.getStore()?.actor ?? SYSTEM;

/** Makes an account the actor of the current request, which is anonymous until then. */
export function identifyActor({ accountId, username }: { accountId: number; username: string }): void {
  const context = current.getStore();
  if (context) context.actor = { ...context.actor, kind: 'account', accountId, name: username };
}

interface Caller {
  accountId: number;
  username: string;
  funnelIds: readonly number[] | null;
}

/** Makes an account the actor of the current request, and limits what it reads to its funnels. */
export function identifyCaller(caller: Caller): void {
  identifyActor(caller);
  const context = current.getStore();
  if (context) context.funnelIds = caller.funnelIds;
}

/** The funnels that the caller of the current request sees. Null: all of them. */
export const visibleFunnels = (): readonly number[] | null => current.getStore()?.funnelIds ?? null;

export const isFunnelVisible = (funnelId: number): boolean => visibleFunnels()?.includes(funnelId) ?? true;

export interface FinishedRequest {
  method: string;
  /** The pattern, not the URL: a URL may contain search terms. */
  route: string;
  status: number;
  seconds: number;
}
