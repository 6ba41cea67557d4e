import type { Routes } from '#contracts/api.ts';
import type { ResponseOf } from '#contracts/endpoint.ts';
import { useLive } from '#web/lib/live.ts';
import { toast, toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { useReload } from '#web/lib/use-reload.ts';

/** Openings, verdicts and changes by colleagues appear without a reload of the page. */
export function useShareMessages(): void {
  const reload = useReload('/api/shares');
  useLive(({ type }) => {
    if (type === 'shares-changed') reload();
  });
}

export function useCreateShares(onDone: (links: ResponseOf<Routes['POST /api/shares']>) => void) {
  const reload = useReload('/api/shares');
  return useAction('POST /api/shares', {
    onSuccess: (links) => {
      reload();
      onDone(links);
    },
    onError: toastFailure("Couldn't share"),
  });
}

export function useUpdateShare() {
  const reload = useReload('/api/shares');
  return useAction('PUT /api/shares/:id', {
    onSuccess: ({ recipient, state }) => {
      toast({
        title: 'Link changed',
        description: `The link of ${recipient.name} is ${STATE_LABELS[state].toLowerCase()}.`,
      });
      reload();
    },
    onError: toastFailure("Couldn't change the link"),
  });
}

export function useRenewShareLink(onDone: (link: string) => void) {
  const reload = useReload('/api/shares');
  return useAction('POST /api/shares/:id/link', {
    onSuccess: ({ link }) => {
      reload();
      onDone(link);
    },
    onError: toastFailure("Couldn't create a link"),
  });
}

export const STATE_LABELS = {
  waiting: 'Not opened',
  opened: 'Opened',
  decided: 'Decided',
  expired: 'Expired',
  revoked: 'Revoked',
  closed: 'Closed',
} as const;
