import { Link } from 'wouter';
import type { User } from '#contracts/session.ts';
import { HeaderNavigation } from '#web/app/header-navigation.tsx';
import { MobileMenu } from '#web/app/mobile-menu.tsx';
import type { ShellDialog } from '#web/app/shell-dialog.ts';
import { UserMenu } from '#web/app/user-menu.tsx';
import { useIsMobile } from '#web/lib/use-is-mobile.ts';
import { Logo } from '#web/ui/logo.tsx';

interface Props {
  user: User;
  onOpen: (dialog: ShellDialog) => void;
}

export function Header({ user, onOpen }: Props) {
  const mobile = useIsMobile();
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface/85 backdrop-blur-md">
      <div className="mx-auto flex h-14 max-w-7xl items-center gap-2 px-4 sm:px-6">
        {mobile && <MobileMenu user={user} onOpen={onOpen} />}
        <Link
          href="/"
          className="touch-beyond relative flex min-w-0 items-center gap-2.5 rounded-md font-semibold md:mr-5"
        >
          <Logo />
          <span className="truncate">Video Interview Management</span>
        </Link>
        {!mobile && <HeaderNavigation />}
        <div className="ml-auto">
          <UserMenu user={user} onOpen={onOpen} />
        </div>
      </div>
    </header>
  );
}
