import { onlineManager } from '@tanstack/react-query';
import { Menu } from 'lucide-react';
import { type ComponentType, lazy, Suspense, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import type { User } from '#contracts/session.ts';
import { Logo } from '#web/features/session/logo.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import type { OpenShellDialog } from './account-actions.ts';
import { HeaderNavigation } from './header-navigation.tsx';
import { UserMenu } from './user-menu.tsx';

/** Loaded lazily, outside the first load. The page works even if loading fails. */
const NoticeBell = lazy(
  (): Promise<{ default: ComponentType<{ onOpen: () => void }> }> =>
    import('#web/features/notices/notice-bell.tsx').then(
      (m) => ({ default: m.NoticeBell }),
      () => ({ default: () => null }),
    ),
);

interface Props {
  user: User;
  isMenuOpen: boolean;
  onOpen: OpenShellDialog;
}

export function Header({ user, isMenuOpen, onOpen }: Props) {
  const isMobile = useIsMobile();
  const isOnline = useSyncExternalStore(watchOnline, isBrowserOnline);
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface/95 backdrop-blur-md">
      <div className="mx-auto flex h-14 max-w-7xl items-center gap-2 px-4 sm:px-6">
        {isMobile && (
          <Button
            variant="ghost"
            size="icon"
            aria-label="Open menu"
            aria-expanded={isMenuOpen}
            onClick={() => onOpen('menu')}
            className="-ml-2"
          >
            <Menu aria-hidden className="size-5" />
          </Button>
        )}
        <Link
          href="/"
          className="touch-beyond relative flex min-w-0 items-center gap-2.5 rounded-md font-semibold md:mr-5"
        >
          <Logo className="max-[26rem]:hidden" />
          {/* One line on phones, two on the narrowest screens. */}
          <span className="leading-tight max-[26rem]:text-sm">Video Interview Management</span>
        </Link>
        {!isMobile && <HeaderNavigation />}
        <div className="ml-auto flex items-center gap-2 max-[26rem]:gap-0">
          <span role="status">{!isOnline && <Badge tone="warning">Offline</Badge>}</span>
          <Suspense fallback={<span className="size-9" />}>
            <NoticeBell onOpen={() => onOpen('notices')} />
          </Suspense>
          <UserMenu user={user} onOpen={onOpen} />
        </div>
      </div>
    </header>
  );
}

const watchOnline = (listener: () => void) => onlineManager.subscribe(listener);
const isBrowserOnline = () => onlineManager.isOnline();

/** Section 9 of the specification: the navigation becomes a side menu below 768 px. */
const QUERY = '(width < 768px)';

const subscribe = (listener: () => void) => {
  const media = matchMedia(QUERY);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
};

const useIsMobile = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(QUERY).matches);
