import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import type { User } from '#contracts/session.ts';
import { Footer } from '#web/app/footer.tsx';
import { Header } from '#web/app/header.tsx';
import type { ShellDialog } from '#web/app/shell-dialog.ts';
import { useKeptFocus } from '#web/app/use-kept-focus.ts';
import { useLiveUpdates } from '#web/app/use-live-updates.ts';
import { focusSearch } from '#web/lib/focus-search.ts';
import { useShortcut } from '#web/lib/use-shortcut.ts';

const ShortcutsDialog = lazy(() =>
  import('#web/app/shortcuts-dialog.tsx').then((m) => ({ default: m.ShortcutsDialog })),
);

const ChangePasswordDialog = lazy(() =>
  import('#web/features/session/change-password-dialog.tsx').then((m) => ({ default: m.ChangePasswordDialog })),
);

const SecondFactorDialog = lazy(() =>
  import('#web/features/session/second-factor/second-factor-dialog.tsx').then((m) => ({
    default: m.SecondFactorDialog,
  })),
);

const SignOutEverywhereDialog = lazy(() =>
  import('#web/features/session/sign-out-everywhere-dialog.tsx').then((m) => ({ default: m.SignOutEverywhereDialog })),
);

/** What surrounds every protected page. */
export function Shell({ user, children }: { user: User; children: ReactNode }) {
  useLiveUpdates();
  useKeptFocus();
  const [dialog, setDialog] = useState<ShellDialog | null>(null);
  const showShortcuts = useCallback(() => setDialog('shortcuts'), []);
  const close = () => setDialog(null);
  useShortcut('?', showShortcuts);
  useShortcut('/', focusSearch);
  return (
    <div data-shell className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-raised px-3 py-2 font-medium shadow-pop focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <Header user={user} onOpen={setDialog} />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-7xl grow px-4 py-6 outline-none sm:px-6 sm:py-8">
        {children}
      </main>
      <Footer />
      <Suspense>
        {dialog === 'shortcuts' && <ShortcutsDialog onClose={close} />}
        {dialog === 'change-password' && <ChangePasswordDialog onClose={close} />}
        {dialog === 'second-factor' && <SecondFactorDialog onClose={close} />}
        {dialog === 'sign-out-everywhere' && <SignOutEverywhereDialog onClose={close} />}
      </Suspense>
    </div>
  );
}
