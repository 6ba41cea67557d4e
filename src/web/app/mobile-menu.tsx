import { Menu } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { User } from '#contracts/session.ts';
import type { ShellDialog } from '#web/app/shell-dialog.ts';
import { Button } from '#web/ui/button.tsx';

const SideMenu = lazy(() => import('#web/app/side-menu.tsx').then((m) => ({ default: m.SideMenu })));

/** The button of the side menu, which loads when it is first opened. */
export function MobileMenu({ user, onOpen }: { user: User; onOpen: (dialog: ShellDialog) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Open menu"
        aria-expanded={open}
        onClick={() => setOpen(true)}
        className="-ml-2"
      >
        <Menu aria-hidden className="size-5" />
      </Button>
      <Suspense>{open && <SideMenu user={user} onOpen={onOpen} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
