import { useQueryClient } from '@tanstack/react-query';
import type { CreatedApiToken } from '#contracts/api-tokens.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';

function useReloadTokens() {
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      (['/api/tokens', '/api/accounts/:id/tokens'] as const).map((path) =>
        queryClient.invalidateQueries({ queryKey: [path] }),
      ),
    );
}

export function useRevokeToken(name: string, onDone: () => void) {
  const reload = useReloadTokens();
  return useAction('DELETE /api/tokens/:id', {
    onSuccess: () => {
      reload();
      toast({ title: 'Token revoked', description: `${name} no longer works.` });
      onDone();
    },
    onError: ({ status, message }) => {
      // It was revoked in another window.
      if (status === 404) onDone();
      reload();
      toast({ title: 'Error', description: `Couldn't revoke ${name}: ${message}`, variant: 'destructive' });
    },
  });
}

interface Outcome {
  onDone: (created: CreatedApiToken) => void;
  /** Receives errors about a field of the form. */
  onFieldError: (field: string, message: string) => void;
}

export function useCreateToken({ onDone, onFieldError }: Outcome) {
  const reload = useReloadTokens();
  return useAction('POST /api/tokens', {
    onSuccess: (created) => {
      reload();
      onDone(created);
    },
    onError: ({ field, message }) => {
      if (field) onFieldError(field, message);
      else toast({ title: 'Error', description: `Couldn't create the token: ${message}`, variant: 'destructive' });
    },
  });
}
