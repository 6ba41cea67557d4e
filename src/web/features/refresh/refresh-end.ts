import type { QueryClient } from '@tanstack/react-query';
import type { RefreshStatus } from '#contracts/sync.ts';
import { afterAnswers } from '#web/lib/after-answers.ts';
import { cancelSync, listFunnels, listInterviews } from '#web/lib/api.ts';
import { toastNews } from '#web/lib/toast.tsx';

/** Says how a refresh ended, and reads the interviews again when it ended well. */
export const announceEnd = (client: QueryClient, status: RefreshStatus): void =>
  afterAnswers(client, { endpoints: [cancelSync] }, () => tellEnd(client, status));

function tellEnd(client: QueryClient, status: RefreshStatus): void {
  if (status.error !== null) {
    announceError(status);
    return;
  }
  toastNews({ title: 'Refresh Completed', description: status.message ?? undefined });
  client.invalidateQueries({ queryKey: [listInterviews.path] });
  // Funnels carry the count of their interviews.
  client.invalidateQueries({ queryKey: [listFunnels.path] });
}

export const announceError = ({ error }: RefreshStatus) =>
  toastNews({ title: 'Refresh Error', description: error || 'An unknown error occurred.', variant: 'destructive' });
