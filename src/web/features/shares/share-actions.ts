import { useQueryClient } from '@tanstack/react-query';
import type { Routes } from '#contracts/api.ts';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { ApiError } from '#web/lib/api-error.ts';
import { useLive } from '#web/lib/live.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';

function useReloadShares() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['/api/shares'] });
}

const showFailure =
  (what: string) =>
  ({ message }: ApiError) =>
    toast({ title: 'Error', description: `Couldn't ${what}: ${message}`, variant: 'destructive' });

/** Openings, verdicts and changes by colleagues appear without a reload of the page. */
export function useShareMessages(): void {
  const reload = useReloadShares();
  useLive(({ type }) => {
    if (type === 'shares-changed') reload();
  });
}

export function useCreateShares(onDone: (links: ResponseOf<Routes['POST /api/shares']>) => void) {
  const reload = useReloadShares();
  return useAction('POST /api/shares', {
    onSuccess: (links) => {
      reload();
      onDone(links);
    },
    onError: showFailure('share'),
  });
}

export function useUpdateShare() {
  const reload = useReloadShares();
  return useAction('PUT /api/shares/:id', {
    onSuccess: ({ recipient, state }) => {
      toast({
        title: 'Link changed',
        description: `The link of ${recipient.name} is ${STATE_LABELS[state].toLowerCase()}.`,
      });
      reload();
    },
    onError: showFailure('change the link'),
  });
}

export function useRenewShareLink(onDone: (link: string) => void) {
  const reload = useReloadShares();
  return useAction('POST /api/shares/:id/link', {
    onSuccess: ({ link }) => {
      reload();
      onDone(link);
    },
    onError: showFailure('create a link'),
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
