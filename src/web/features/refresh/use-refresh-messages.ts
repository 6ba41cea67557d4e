import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { LiveMessage, RefreshMessageType } from '#contracts/live.ts';
import type { RefreshStatus } from '#contracts/sync.ts';
import { announceEnd, announceError } from '#web/features/refresh/refresh-end.ts';
import { refreshStatusQuery, setRefreshStatus } from '#web/features/refresh/refresh-status.ts';
import { afterAnswers } from '#web/lib/after-answers.ts';
import { startSync } from '#web/lib/api.ts';
import { useLive } from '#web/lib/live.ts';

/** Live messages of the refresh go into its status, and their end is announced. */
export function useRefreshMessages(): void {
  const client = useQueryClient();
  useLive((message) => {
    if (!isRefreshMessage(message)) return;
    // A refresh may end before its start is answered; it must not look as if it were running from then on.
    afterAnswers(client, { endpoints: [startSync] }, () => receive(client, message.type, message.data));
  });
}

const isRefreshMessage = (message: LiveMessage): message is Extract<LiveMessage, { type: RefreshMessageType }> =>
  message.type.startsWith('refresh-');

function receive(client: QueryClient, type: RefreshMessageType, status: RefreshStatus): void {
  const before = client.getQueryData(refreshStatusQuery.queryKey);
  setRefreshStatus(client, status);
  const seenEnding = before?.inProgress === true && !status.inProgress;
  // A refresh of another tab may start and end between two polls; one whose end a poll has seen is no news any more.
  const isEnd = type === 'refresh-completed' || type === 'refresh-error';
  const known = before?.message === status.message && before.error === status.error;
  if (!seenEnding && (!isEnd || known)) return;
  if (type === 'refresh-error') announceError(status);
  else announceEnd(client, status);
}
