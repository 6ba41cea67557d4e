import { useSyncExternalStore } from 'react';

/** The texts of the upload buttons by account and funnel: the sent share, or the stopped uploads. */
let shown: Readonly<Record<string, string>> = {};
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const progressKey = (accountId: number, funnelId: number) => `${accountId} ${funnelId}`;

/** Called by the queue, which is not part of the first load. */
export function showProgress(texts: typeof shown): void {
  shown = texts;
  for (const listener of listeners) listener();
}

export const useShownProgress = (accountId: number, funnelId: number): string | undefined =>
  useSyncExternalStore(subscribe, () => shown[progressKey(accountId, funnelId)]);
