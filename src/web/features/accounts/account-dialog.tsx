import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { type Account, NewAccount } from '#contracts/accounts.ts';
import type { Routes } from '#contracts/api.ts';
import type { ResponseOf } from '#contracts/endpoint.ts';
import { useEdited } from '#web/features/drafts/use-unsaved-changes.tsx';
import { useSession } from '#web/features/session/session.ts';
import type { ApiError } from '#web/lib/api-error.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { useReload } from '#web/lib/use-reload.ts';
import { useFieldErrors } from '#web/ui/forms/use-field-errors.ts';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';
import { type AccountDraft, AccountFields, type FieldErrors } from './account-fields.tsx';

interface Props {
  /** The account to edit, or null to invite a person. */
  account: Account | null;
  onClose: () => void;
  onInvited?: ((response: ResponseOf<Routes['POST /api/accounts']>) => void) | undefined;
}

const FORM_FIELDS = ['username', 'email', 'role', 'funnelIds'];

const draftOf = (account: Account | null): AccountDraft => ({
  username: account?.username ?? '',
  email: account?.email ?? '',
  role: account?.role ?? 'recruiter',
  allFunnels: account?.allFunnels ?? false,
  funnelIds: account?.funnelIds ?? [],
});

export function AccountDialog({ account, onClose, onInvited }: Props) {
  const { form, errors, showErrors, showRejection, clearErrors } = useFieldErrors<string>();
  const { user } = useSession({ ask: false });
  const { data: funnels } = useQuery(endpointQuery('/api/funnels'));
  const { draft, change, changed, leave, question } = useEdited(draftOf(account));
  const { isPending, save } = useSave({ account, onClose, onInvited }, (failed) => showRejection(FORM_FIELDS, failed));

  function submit() {
    const { allFunnels, ...rest } = draft;
    const seesAll = allFunnels || draft.role === 'administrator';
    const { data, error } = NewAccount.safeParse({
      ...rest,
      allFunnels: seesAll,
      funnelIds: seesAll ? [] : draft.funnelIds,
    });
    if (data) save(data);
    else showErrors(errorsOf(error.issues));
  }

  return (
    <FormDialog
      ref={form}
      title={account ? `Edit ${account.username}` : 'Invite'}
      description={
        account
          ? 'Changes apply immediately, including to open sessions.'
          : "You'll get a link to send. The person uses it to choose a password."
      }
      action={account ? 'Save Changes' : 'Create link'}
      pending={isPending}
      guardsBack={changed}
      onSubmit={submit}
      onClose={() => leave(onClose)}
      autoComplete="off"
      above={question}
    >
      <AccountFields
        draft={draft}
        errors={errors}
        funnels={funnels ?? []}
        isNew={!account}
        isOwn={account?.id === user?.id}
        onChange={(part) => {
          change(part);
          clearErrors();
        }}
      />
    </FormDialog>
  );
}

const LABELS: Record<string, string> = { username: 'Username', email: 'Email' };

/** The first problem of each field. */
const errorsOf = (issues: readonly { path: PropertyKey[]; message: string }[]): FieldErrors =>
  Object.fromEntries(
    issues
      .toReversed()
      .map(({ path, message }) => [path[0], `${LABELS[String(path[0])] ?? String(path[0])} ${message}`]),
  );

function useSave({ account, onClose, onInvited }: Props, onError: (failed: string) => (error: ApiError) => void) {
  const reload = useReload('/api/accounts');
  const invite = useAction('POST /api/accounts', {
    onSuccess: (response) => {
      reload();
      onClose();
      onInvited?.(response);
    },
    onError: onError("Couldn't invite this person"),
  });
  const update = useAction('PUT /api/accounts/:id', {
    onSuccess: ({ username }) => {
      reload();
      toast({ title: 'Account saved', description: `${username} now has the new rights.` });
      onClose();
    },
    onError: onError("Couldn't save the account"),
  });
  return {
    isPending: invite.isPending || update.isPending,
    save: ({ username, ...fields }: z.output<typeof NewAccount>) =>
      account
        ? update.mutate({ params: { id: account.id }, body: fields })
        : invite.mutate({ body: { username, ...fields } }),
  };
}
