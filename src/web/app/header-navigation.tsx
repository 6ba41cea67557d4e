import { ChevronDown } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { cn } from '#web/lib/cn.ts';
import { DropdownMenu, MenuItem } from '#web/ui/overlays/dropdown-menu.tsx';
import { hrefOf, MAIN_LINKS, SYSTEM_LINKS, useVisibleLinks } from './navigation.ts';
import { preloadPage } from './pages.tsx';

const LINK =
  'flex h-8.5 items-center gap-1 rounded-md px-3 font-medium text-muted transition-colors hover:bg-hover hover:text-ink data-[state=open]:bg-hover';
const ACTIVE = 'bg-hover text-ink';

export function HeaderNavigation() {
  const [location] = useLocation();
  const system = useVisibleLinks(SYSTEM_LINKS);
  const inSystem = system.some((link) => link.path === location);
  return (
    <nav aria-label="Main" className="flex items-center gap-1">
      {MAIN_LINKS.map(({ path, label }) => (
        <Link
          key={path}
          href={hrefOf(path, location)}
          aria-current={path === location ? 'page' : undefined}
          onPointerEnter={() => preloadPage(path)}
          className={cn(LINK, path === location && ACTIVE)}
        >
          {label}
        </Link>
      ))}
      {system.length > 0 && (
        <DropdownMenu
          align="start"
          trigger={
            <button type="button" aria-current={inSystem || undefined} className={cn(LINK, inSystem && ACTIVE)}>
              System
              <ChevronDown aria-hidden className="size-3.5" />
            </button>
          }
        >
          {system.map(({ path, label, Icon }) => (
            <MenuItem key={path} asChild>
              <Link href={path} aria-current={path === location ? 'page' : undefined}>
                <Icon aria-hidden />
                {label}
              </Link>
            </MenuItem>
          ))}
        </DropdownMenu>
      )}
    </nav>
  );
}
