import { useLiveWhileSignedIn } from '#web/app/use-live-while-signed-in.ts';
import { useFunnelMessages } from '#web/features/funnels/use-funnel-messages.ts';
import { useEditMessages } from '#web/features/interviews/use-edit-messages.ts';
import { useStepMessages } from '#web/features/interviews/use-step-messages.ts';
import { useRefreshMessages } from '#web/features/refresh/use-refresh-messages.ts';

/** On every page: whoever looks at the logs meanwhile is told as well, and finds no old list on the way back. */
export function useLiveUpdates(): void {
  useLiveWhileSignedIn();
  useRefreshMessages();
  useStepMessages();
  useEditMessages();
  useFunnelMessages();
}
