import { Keyboard, LogOut, MonitorX } from 'lucide-react';
import type { User } from '#contracts/session.ts';
import { Avatar } from '#web/app/avatar.tsx';
import { THEME_CHOICES } from '#web/app/theme-choices.ts';
import { useLogout } from '#web/features/session/session.ts';
import { setTheme, type Theme, useTheme } from '#web/lib/theme.ts';
import { DropdownMenu, MenuChoices, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx';

interface Props {
  user: User;
  onShortcuts: () => void;
  onSignOutEverywhere: () => void;
}

export function UserMenu({ user, onShortcuts, onSignOutEverywhere }: Props) {
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
      <MenuItem onSelect={onShortcuts}>
        <Keyboard aria-hidden />
        Keyboard shortcuts
      </MenuItem>
      <MenuItem onSelect={() => logout.mutate()} disabled={logout.isPending}>
        <LogOut aria-hidden />
        Logout
      </MenuItem>
      <MenuItem onSelect={onSignOutEverywhere}>
        <MonitorX aria-hidden />
        Sign out everywhere
      </MenuItem>
    </DropdownMenu>
  );
}
