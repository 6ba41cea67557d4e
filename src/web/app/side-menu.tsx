import { Link, useLocation } from 'wouter';
import { ROLE_LABELS } from '#contracts/rules/roles.ts';
import type { User } from '#contracts/session.ts';
import { cn } from '#web/lib/cn.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Sheet } from '#web/ui/overlays/sheet.tsx';
import { type OpenShellDialog, useAccountActions } from './account-actions.ts';
import { Avatar } from './avatar.tsx';
import { ACCOUNT_LINKS, hrefOf, MAIN_LINKS, type NavigationLink, SYSTEM_LINKS, useVisibleLinks } from './navigation.ts';

interface Props {
  user: User;
  onOpen: OpenShellDialog;
  onClose: () => void;
}

/** The navigation and the account actions on narrow screens. */
export function SideMenu({ user, onOpen, onClose }: Props) {
  const { logout, setup, ...others } = useAccountActions(onOpen);
  const system = useVisibleLinks(SYSTEM_LINKS);
  const accounts = useVisibleLinks(Object.values(ACCOUNT_LINKS));
  return (
    <Sheet onClose={onClose} title="Menu">
      <nav aria-label="Main" className="flex grow flex-col gap-0.5">
        <Links links={MAIN_LINKS} />
        {system.length > 0 && <p className="mt-4 px-3 pb-1 text-xs text-faint">System</p>}
        <Links links={system} />
        {accounts.length > 0 && (
          <div className="mt-4">
            <Links links={accounts} />
          </div>
        )}
      </nav>
      <div className="border-t border-line pt-4">
        <div className="mb-3 flex items-center gap-3 px-1">
          <Avatar name={user.username} />
          <div className="min-w-0">
            <p className="truncate font-medium">{user.username}</p>
            <p className="text-xs text-faint">{ROLE_LABELS[user.role]}</p>
          </div>
        </div>
        <Button
          variant="ghost"
          className="w-full justify-start gap-3 px-3"
          pending={logout.isPending}
          onClick={logout.onSelect}
        >
          <logout.Icon aria-hidden />
          {logout.label}
        </Button>
        {[...setup, ...Object.values(others)].map(({ label, Icon, onSelect }) => (
          <Button key={label} variant="ghost" className="mt-0.5 w-full justify-start gap-3 px-3" onClick={onSelect}>
            <Icon aria-hidden />
            {label}
          </Button>
        ))}
      </div>
    </Sheet>
  );
}

/**
 * A link replaces the history entry of the open menu, so that Back returns to the page below it.
 */
function Links({ links }: { links: readonly NavigationLink[] }) {
  const [location] = useLocation();
  return links.map(({ path, label, Icon }) => (
    <Link
      key={path}
      replace
      href={hrefOf(path, location)}
      aria-current={path === location ? 'page' : undefined}
      className={cn(
        'flex h-10 items-center gap-3 rounded-md px-3 font-medium text-muted hover:bg-hover hover:text-ink',
        path === location && 'bg-hover text-ink',
      )}
    >
      <Icon aria-hidden className="size-4" />
      {label}
    </Link>
  ));
}
