import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { afterGoingBack, useDialog, useLastKnown } from '#web/lib/use-dialog.ts';
import { useTitle } from '#web/lib/use-title.ts';
import { useUrlFilters } from '#web/lib/use-url-filters.ts';
import { LoadError } from '#web/ui/feedback/load-error.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { ListToolbar } from '#web/ui/layout/list-toolbar.tsx';
import { PageHead } from '#web/ui/layout/page-head.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { ACCOUNT_FILTERS, ROLE_CHOICES, STATE_CHOICES } from './account-filters.ts';
import { AccountList } from './account-list.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { LinkDialog, type ShownLink } from './link-dialog.tsx';

const AccountDialog = lazyPart(() => import('./account-dialog.tsx').then((m) => m.AccountDialog));

const AccountTokensDialog = lazyPart(() =>
  import('#web/features/api-tokens/api-tokens-dialog.tsx').then((m) => m.AccountTokensDialog),
);

/** For administrators. */
export function AccountsPage() {
  useTitle('Accounts');
  const { dialog, id, open, close } = useDialog(['invite', 'edit-account', 'account-tokens', 'delete-account']);
  const accounts = useQuery(endpointQuery('/api/accounts'));
  const account = useLastKnown(accounts.data, id);
  const [link, setLink] = useState<ShownLink | null>(null);
  const renew = useAction('POST /api/accounts/:id/invitation', { onError: toastFailure("Couldn't create a link") });

  return (
    <>
      <PageHead title="Accounts" description="Invite people and choose what they can see and do">
        <Button variant="primary" data-command="Invite" onClick={() => open('invite')}>
          <UserPlus aria-hidden />
          Invite
        </Button>
      </PageHead>
      <Accounts
        onOpen={open}
        onNewLink={(account) =>
          renew.mutate(
            { params: { id: account.id } },
            { onSuccess: (invitation) => invitation && setLink({ account, ...invitation }) },
          )
        }
      />
      {dialog === 'invite' && (
        <AccountDialog
          account={null}
          onClose={close}
          // The link dialog handles Back, and would mistake the closing of this dialog for it.
          onInvited={({ account, invitation }) => afterGoingBack(() => setLink({ account, ...invitation }))}
        />
      )}
      {dialog === 'edit-account' && account && <AccountDialog account={account} onClose={close} />}
      {dialog === 'account-tokens' && account && <AccountTokensDialog account={account} onClose={close} />}
      {dialog === 'delete-account' && account && <DeleteAccountDialog account={account} onClose={close} />}
      {link && !dialog && <LinkDialog link={link} onClose={() => setLink(null)} />}
    </>
  );
}

type ListProps = Omit<Parameters<typeof AccountList>[0], 'accounts' | 'filters' | 'onClear' | 'onPage'>;

function Accounts(actions: ListProps) {
  const { filters, change, goToPage } = useUrlFilters(ACCOUNT_FILTERS);
  const accounts = useQuery(endpointQuery('/api/accounts'));
  if (accounts.isPending) return <Loading isPage>Loading accounts...</Loading>;
  if (accounts.isError) return <LoadError title="Couldn't load the accounts" query={accounts} />;
  if (!accounts.data) return null;
  return (
    <>
      <ListToolbar
        label="Search accounts"
        placeholder="Search by name or email"
        value={filters.search}
        onChange={(search) => change({ search })}
      >
        <Select
          label="Role"
          data-command="Filter by role"
          value={filters.role}
          options={ROLE_CHOICES}
          onChange={(role) => change({ role })}
          className="grow sm:ml-auto sm:w-36 sm:grow-0"
        />
        <Select
          label="State"
          data-command="Filter by state"
          value={filters.state}
          options={STATE_CHOICES}
          onChange={(state) => change({ state })}
          className="grow sm:w-36 sm:grow-0"
        />
      </ListToolbar>
      <AccountList
        accounts={accounts.data}
        filters={filters}
        onClear={() => change({ search: '', role: 'all', state: 'all' })}
        onPage={goToPage}
        {...actions}
      />
    </>
  );
}
