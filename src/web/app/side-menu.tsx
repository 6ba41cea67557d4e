import { KeyRound, LogOut, MonitorX, ShieldCheck } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import type { User } from '#contracts/session.ts';
import { Avatar } from '#web/app/avatar.tsx';
import { addressOf, MAIN_LINKS, type NavigationLink, SYSTEM_LINKS } from '#web/app/navigation.ts';
import type { ShellDialog } from '#web/app/shell-dialog.ts';
import { useLogout } from '#web/features/session/session.ts';
import { cn } from '#web/lib/cn.ts';
import { Button } from '#web/ui/button.tsx';
import { Sheet } from '#web/ui/sheet.tsx';

interface Props {
  user: User;
  onOpen: (dialog: ShellDialog) => void;
  onClose: () => void;
}

export function SideMenu({ user, onOpen, onClose }: Props) {
  const logout = useLogout();
  const open = (dialog: ShellDialog) => {
    onClose();
    onOpen(dialog);
  };
  return (
    <Sheet open onOpenChange={(open) => open || onClose()} title="Menu">
      <nav aria-label="Main" className="flex grow flex-col gap-0.5">
        <Links links={MAIN_LINKS} onFollow={onClose} />
        <p className="mt-4 px-3 pb-1 text-xs text-faint">System</p>
        <Links links={SYSTEM_LINKS} onFollow={onClose} />
      </nav>
      <div className="border-t border-line pt-4">
        <div className="mb-3 flex items-center gap-3 px-1">
          <Avatar name={user.username} />
          <div className="min-w-0">
            <p className="truncate font-medium">{user.username}</p>
            <p className="text-xs text-faint">Admin</p>
          </div>
        </div>
        <Button className="w-full" pending={logout.isPending} onClick={() => logout.mutate()}>
          <LogOut aria-hidden />
          Logout
        </Button>
        <Button variant="ghost" className="mt-2 w-full" onClick={() => open('change-password')}>
          <KeyRound aria-hidden />
          Change password
        </Button>
        <Button variant="ghost" className="mt-1 w-full" onClick={() => open('second-factor')}>
          <ShieldCheck aria-hidden />
          Two-factor sign-in
        </Button>
        <Button variant="ghost" className="mt-1 w-full" onClick={() => open('sign-out-everywhere')}>
          <MonitorX aria-hidden />
          Sign out everywhere
        </Button>
      </div>
    </Sheet>
  );
}

function Links({ links, onFollow }: { links: readonly NavigationLink[]; onFollow: () => void }) {
  const [location] = useLocation();
  return links.map(({ path, label, Icon }) => (
    <Link
      key={path}
      href={addressOf(path, location)}
      onClick={onFollow}
      aria-current={path === location ? 'page' : undefined}
      className={cn(
        'flex h-10 items-center gap-3 rounded-md px-3 font-medium text-muted hover:bg-hover hover:text-ink',
        path === location && 'bg-accent-soft text-accent-ink',
      )}
    >
      <Icon aria-hidden className="size-4" />
      {label}
    </Link>
  ));
}
