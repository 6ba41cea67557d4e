import { Ellipsis, Link, Pencil, Power, Terminal, Trash2 } from 'lucide-react';
import type { Account } from '#contracts/accounts.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { DropdownMenu, MenuItem, MenuSeparator } from '#web/ui/overlays/dropdown-menu.tsx';
import { useToggleAccount } from './account-actions.ts';

export interface AccountMenuProps {
  account: Account;
  /** The account of the administrator, who can neither disable nor delete it. */
  isOwn: boolean;
  onEdit: (account: Account) => void;
  onNewLink: (account: Account) => void;
  onTokens: (account: Account) => void;
  onDelete: (account: Account) => void;
}

export function AccountMenu({ account, isOwn, onEdit, onNewLink, onTokens, onDelete }: AccountMenuProps) {
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
      <MenuItem icon={Pencil} label="Edit" onSelect={() => onEdit(account)} />
      {!account.isDisabled && <MenuItem icon={Link} label="New link" onSelect={() => onNewLink(account)} />}
      <MenuItem icon={Terminal} label="API tokens" onSelect={() => onTokens(account)} />
      {!isOwn && (
        <>
          <MenuItem icon={Power} label={account.isDisabled ? 'Enable' : 'Disable'} onSelect={() => toggle(account)} />
          <MenuSeparator />
          <MenuItem icon={Trash2} label="Delete" destructive onSelect={() => onDelete(account)} />
        </>
      )}
    </DropdownMenu>
  );
}
