import { createStore } from '#web/lib/store.ts';

/**
 * The texts of the upload buttons by account and funnel: the sent share, or the stopped uploads.
 * Set by the queue, which is not part of the first load.
 */
export const shownProgress = createStore<Readonly<Record<string, string>>>({});

export const progressKey = (accountId: number, funnelId: number) => `${accountId} ${funnelId}`;

export const useShownProgress = (accountId: number, funnelId: number): string | undefined =>
  shownProgress.use((texts) => texts[progressKey(accountId, funnelId)]);
