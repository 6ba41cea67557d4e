import { Keyboard, KeyRound, LogOut, MonitorX, ShieldCheck } from 'lucide-react';
import type { User } from '#contracts/session.ts';
import { Avatar } from '#web/app/avatar.tsx';
import type { ShellDialog } from '#web/app/shell-dialog.ts';
import { THEME_CHOICES } from '#web/app/theme-choices.ts';
import { useLogout } from '#web/features/session/session.ts';
import { setTheme, type Theme, useTheme } from '#web/lib/theme.ts';
import { DropdownMenu, MenuChoices, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx';

interface Props {
  user: User;
  onOpen: (dialog: ShellDialog) => void;
}

export function UserMenu({ user, onOpen }: Props) {
  const logout = useLogout();
  const theme = useTheme();
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
            <span className="block text-xs leading-4 text-faint">Admin</span>
          </span>
        </button>
      }
    >
      <MenuChoices label="Theme" value={theme} choices={THEME_CHOICES} onChange={(value) => setTheme(value as Theme)} />
      <MenuSeparator />
      <MenuItem onSelect={() => onOpen('shortcuts')}>
        <Keyboard aria-hidden />
        Keyboard shortcuts
      </MenuItem>
      <MenuItem onSelect={() => onOpen('change-password')}>
        <KeyRound aria-hidden />
        Change password
      </MenuItem>
      <MenuItem onSelect={() => onOpen('second-factor')}>
        <ShieldCheck aria-hidden />
        Two-factor sign-in
      </MenuItem>
      <MenuItem onSelect={() => logout.mutate()} disabled={logout.isPending}>
        <LogOut aria-hidden />
        Logout
      </MenuItem>
      <MenuItem onSelect={() => onOpen('sign-out-everywhere')}>
        <MonitorX aria-hidden />
        Sign out everywhere
      </MenuItem>
    </DropdownMenu>
  );
}
