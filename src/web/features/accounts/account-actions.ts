import { useQueryClient } from '@tanstack/react-query';
import type { Account } from '#contracts/accounts.ts';
import type { Routes } from '#contracts/api.ts';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { ApiError } from '#web/lib/api-error.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';

function useReloadAccounts() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['/api/accounts'] });
}

const showFailure =
  (what: string) =>
  ({ message }: ApiError) =>
    toast({ title: 'Error', description: `Couldn't ${what}: ${message}`, variant: 'destructive' });

interface FormOutcome<Response> {
  onDone: (response: Response) => void;
  /** Receives errors about a field of the form. */
  onFieldError: (field: string, message: string) => void;
}

const FORM_FIELDS: readonly string[] = ['username', 'email', 'role', 'funnelIds'];

function useFormOutcome<Response>({ onDone, onFieldError }: FormOutcome<Response>, what: string) {
  const reload = useReloadAccounts();
  return {
    onSuccess: (response: Response) => {
      reload();
      onDone(response);
    },
    onError: (error: ApiError) => {
      if (error.field && FORM_FIELDS.includes(error.field)) onFieldError(error.field, error.message);
      else showFailure(what)(error);
    },
  };
}

export const useInvite = (outcome: FormOutcome<ResponseOf<Routes['POST /api/accounts']>>) =>
  useAction('POST /api/accounts', useFormOutcome(outcome, 'invite this person'));

export const useSaveAccount = (outcome: FormOutcome<Account>) =>
  useAction('PUT /api/accounts/:id', useFormOutcome(outcome, 'save the account'));

export function useRenewInvitation(
  onDone: (invitation: ResponseOf<Routes['POST /api/accounts/:id/invitation']>) => void,
) {
  return useAction('POST /api/accounts/:id/invitation', {
    onSuccess: onDone,
    onError: showFailure('create a link'),
  });
}

/** Disables or enables an account. The toast offers to undo it. */
export function useToggleAccount() {
  const reload = useReloadAccounts();
  const { mutate } = useAction('PUT /api/accounts/:id', {
    onSuccess: ({ id, username, isDisabled }) => {
      reload();
      toast({
        title: isDisabled ? 'Account disabled' : 'Account enabled',
        description: isDisabled ? `${username} is signed out everywhere.` : `${username} can sign in again.`,
        action: { label: 'Undo', onClick: () => mutate({ params: { id }, body: { isDisabled: !isDisabled } }) },
      });
    },
    onError: showFailure('change the account'),
  });
  return ({ id, isDisabled }: Account) => mutate({ params: { id }, body: { isDisabled: !isDisabled } });
}

export function useDeleteAccount({ username }: Account, onDone: () => void) {
  const reload = useReloadAccounts();
  return useAction('DELETE /api/accounts/:id', {
    onSuccess: () => {
      reload();
      toast({ title: 'Account deleted', description: `${username} can no longer sign in.` });
      onDone();
    },
    onError: showFailure('delete the account'),
  });
}
