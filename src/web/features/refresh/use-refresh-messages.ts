import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { RefreshMessageType } from '#contracts/live.ts';
import type { RefreshStatus } from '#contracts/sync.ts';
import { afterResponses } from '#web/lib/after-responses.ts';
import { useLive } from '#web/lib/live.ts';
import type { ReceivedMessage } from '#web/lib/live-message.ts';
import { announceEnd, announceError, refreshStatusQuery, setRefreshStatus } from './refresh-status.ts';

/** Updates the refresh status from live messages and announces the end of a refresh. */
export function useRefreshMessages(): void {
  const queryClient = useQueryClient();
  useLive((message) => {
    if (!isRefreshMessage(message)) return;
    // A refresh can end before the response to its start, which must not overwrite the end.
    afterResponses(queryClient, { routes: ['GET /api/interviews/sync', 'POST /api/interviews/sync/all'] }, () =>
      applyMessage(queryClient, message.type, message.data),
    );
  });
}

const isRefreshMessage = (
  message: ReceivedMessage,
): message is Extract<ReceivedMessage, { type: RefreshMessageType }> => message.type.startsWith('refresh-');

function applyMessage(queryClient: QueryClient, type: RefreshMessageType, status: RefreshStatus): void {
  const before = queryClient.getQueryData(refreshStatusQuery.queryKey);
  setRefreshStatus(queryClient, status);
  const endsNow = before?.inProgress === true && !status.inProgress;
  // A refresh of another tab can start and end between two polls. An end that a poll has seen is
  // not announced again.
  const isEnd = type === 'refresh-completed' || type === 'refresh-error';
  const isKnown =
    (status.message ?? status.error) !== null && before?.message === status.message && before.error === status.error;
  if (!endsNow && (!isEnd || isKnown)) return;
  if (type === 'refresh-error') announceError(queryClient, status);
  else announceEnd(queryClient, status);
}
