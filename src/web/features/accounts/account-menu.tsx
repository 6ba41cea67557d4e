import { Ellipsis, Link, Pencil, Power, Terminal, Trash2 } from 'lucide-react';
import type { Account } from '#contracts/accounts.ts';
import { toast, toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { useReload } from '#web/lib/use-reload.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { DropdownMenu, MenuItem, MenuSeparator } from '#web/ui/overlays/dropdown-menu.tsx';

export interface AccountMenuProps {
  account: Account;
  /** The account of the administrator, who can neither disable nor delete it. */
  isOwn: boolean;
  onOpen: (dialog: 'edit-account' | 'account-tokens' | 'delete-account', id: number) => void;
  onNewLink: (account: Account) => void;
}

export function AccountMenu({ account, isOwn, onOpen, onNewLink }: AccountMenuProps) {
  const toggle = useToggleAccount();
  return (
    <DropdownMenu
      trigger={
        <Button
          variant="ghost"
          size="icon-sm"
          className="touch-beyond relative"
          aria-label={`Actions for ${account.username}`}
        >
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuItem icon={Pencil} label="Edit" onSelect={() => onOpen('edit-account', account.id)} />
      {!account.isDisabled && <MenuItem icon={Link} label="New link" onSelect={() => onNewLink(account)} />}
      <MenuItem icon={Terminal} label="API tokens" onSelect={() => onOpen('account-tokens', account.id)} />
      {!isOwn && (
        <>
          <MenuItem icon={Power} label={account.isDisabled ? 'Enable' : 'Disable'} onSelect={() => toggle(account)} />
          <MenuSeparator />
          <MenuItem icon={Trash2} label="Delete" destructive onSelect={() => onOpen('delete-account', account.id)} />
        </>
      )}
    </DropdownMenu>
  );
}

/** Disables or enables an account. The toast offers to undo it. */
function useToggleAccount() {
  const reload = useReload('/api/accounts');
  const { mutate } = useAction('PUT /api/accounts/:id', {
    onSuccess: ({ id, username, isDisabled }) => {
      reload();
      toast({
        title: isDisabled ? 'Account disabled' : 'Account enabled',
        description: isDisabled ? `${username} is signed out everywhere.` : `${username} can sign in again.`,
        action: { label: 'Undo', onClick: () => mutate({ params: { id }, body: { isDisabled: !isDisabled } }) },
      });
    },
    onError: toastFailure("Couldn't change the account"),
  });
  return ({ id, isDisabled }: Account) => mutate({ params: { id }, body: { isDisabled: !isDisabled } });
}
