import { Keyboard } from 'lucide-react';
import { useLocation } from 'wouter';
import { ROLE_LABELS } from '#contracts/rules/roles.ts';
import type { User } from '#contracts/session.ts';
import { setTheme, THEME_CHOICES, type Theme, useTheme } from '#web/lib/theme.ts';
import { DropdownMenu, MenuChoices, MenuItem, MenuSeparator } from '#web/ui/overlays/dropdown-menu.tsx';
import { type AccountAction, type OpenShellDialog, useAccountActions } from './account-actions.ts';
import { Avatar } from './avatar.tsx';
import { ACCOUNT_LINKS, useVisibleLinks } from './navigation.ts';

interface Props {
  user: User;
  onOpen: OpenShellDialog;
}

export function UserMenu({ user, onOpen }: Props) {
  const theme = useTheme();
  const [, navigate] = useLocation();
  const { setup, changePassword, secondFactor, devices, apiTokens, notices, logout, signOutEverywhere } =
    useAccountActions(onOpen);
  const shortcuts = { label: 'Keyboard shortcuts', Icon: Keyboard, onSelect: () => onOpen('shortcuts') };
  const accounts = useVisibleLinks(Object.values(ACCOUNT_LINKS)).map((link) => ({
    ...link,
    onSelect: () => navigate(link.path),
  }));
  const actions: AccountAction[] = [
    shortcuts,
    ...setup,
    ...accounts,
    changePassword,
    secondFactor,
    devices,
    apiTokens,
    notices,
    logout,
    signOutEverywhere,
  ];
  return (
    <DropdownMenu
      trigger={
        <button
          type="button"
          className="flex items-center gap-2.5 rounded-lg p-1 text-left hover:bg-hover data-[state=open]:bg-hover md:pr-2.5"
        >
          <Avatar name={user.username} />
          <span className="sr-only md:not-sr-only">
            <span className="block max-w-40 truncate text-sm leading-4 font-medium">{user.username}</span>
            <span className="block text-xs leading-4 text-faint">{ROLE_LABELS[user.role]}</span>
          </span>
        </button>
      }
    >
      <MenuChoices label="Theme" value={theme} choices={THEME_CHOICES} onChange={(value) => setTheme(value as Theme)} />
      <MenuSeparator />
      {actions.map(({ label, Icon, onSelect, isPending = false }) => (
        <MenuItem key={label} icon={Icon} label={label} onSelect={onSelect} disabled={isPending} />
      ))}
    </DropdownMenu>
  );
}
