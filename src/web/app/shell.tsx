import { type ReactNode, useEffect, useEffectEvent } from 'react';
import type { User } from '#contracts/session.ts';
import { useNewRights } from '#web/features/session/session.ts';
import { isPressed, SHELL_KEYS } from '#web/lib/keys.ts';
import { toast } from '#web/lib/toast.ts';
import { useDeniedDialog, useDialog } from '#web/lib/use-dialog.ts';
import { useShortcut } from '#web/lib/use-shortcut.ts';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { SHELL_DIALOGS } from './account-actions.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { useLiveUpdates } from './use-live-updates.ts';

const SideMenu = lazyPart(() => import('./side-menu.tsx').then((m) => m.SideMenu));

const ShortcutsDialog = lazyPart(() =>
  import('#web/features/shortcuts/shortcuts-dialog.tsx').then((m) => m.ShortcutsDialog),
);

const CommandPalette = lazyPart(() => import('./palette/command-palette.tsx').then((m) => m.CommandPalette));

const ChangePasswordDialog = lazyPart(() =>
  import('#web/features/session/change-password-dialog.tsx').then((m) => m.ChangePasswordDialog),
);

const SecondFactorDialog = lazyPart(() =>
  import('#web/features/session/second-factor/second-factor-dialog.tsx').then((m) => m.SecondFactorDialog),
);

const DevicesDialog = lazyPart(() => import('#web/features/session/devices-dialog.tsx').then((m) => m.DevicesDialog));

const ApiTokensDialog = lazyPart(() =>
  import('#web/features/api-tokens/api-tokens-dialog.tsx').then((m) => m.ApiTokensDialog),
);

const SignOutEverywhereDialog = lazyPart(() =>
  import('#web/features/session/sign-out-everywhere-dialog.tsx').then((m) => m.SignOutEverywhereDialog),
);

const SetupDialog = lazyPart(() => import('#web/features/setup/setup-dialog.tsx').then((m) => m.SetupDialog));

const NoticesDialog = lazyPart(() => import('#web/features/notices/notices-dialog.tsx').then((m) => m.NoticesDialog));

const NoticeSettingsDialog = lazyPart(() =>
  import('#web/features/notices/notice-settings-dialog.tsx').then((m) => m.NoticeSettingsDialog),
);

/** The frame of every protected page, and the dialogs that can open above any of them. */
export function Shell({ user, children }: { user: User; children: ReactNode }) {
  useLiveUpdates();
  useNewRights(user);
  useDeniedDialog(showDenied);
  useKeptFocus();
  const { dialog, open, close } = useDialog(SHELL_DIALOGS);
  useShortcut(SHELL_KEYS.shortcuts, () => open('shortcuts'));
  useShortcut(SHELL_KEYS.search, focusSearch);
  useCommandKey(() => open('commands'));
  return (
    <div data-shell className="group/shell flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-raised px-3 py-2 font-medium shadow-pop focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <Header user={user} isMenuOpen={dialog === 'menu'} onOpen={open} />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-7xl grow px-4 py-4 outline-none sm:px-6 xl:py-6">
        {children}
      </main>
      <Footer />
      {dialog === 'menu' && <SideMenu user={user} onOpen={open} onClose={close} />}
      {dialog === 'shortcuts' && <ShortcutsDialog onCommands={() => open('commands')} onClose={close} />}
      {dialog === 'commands' && <CommandPalette onClose={close} />}
      {dialog === 'change-password' && <ChangePasswordDialog onClose={close} />}
      {dialog === 'second-factor' && <SecondFactorDialog onClose={close} />}
      {dialog === 'devices' && <DevicesDialog onClose={close} />}
      {dialog === 'api-tokens' && <ApiTokensDialog onClose={close} />}
      {dialog === 'notices' && <NoticesDialog onSettings={() => open('notice-settings')} onClose={close} />}
      {dialog === 'notice-settings' && <NoticeSettingsDialog user={user} onClose={close} />}
      {dialog === 'setup' && <SetupDialog onClose={close} />}
      {dialog === 'sign-out-everywhere' && <SignOutEverywhereDialog onClose={close} />}
    </div>
  );
}

const showDenied = () =>
  toast({
    title: 'No access',
    description: "Your account can't do this. If you need it, ask an administrator.",
    variant: 'warning',
  });

/** Moves the focus to the search box of the page, if there is one. */
function focusSearch(): void {
  const box = document.querySelector<HTMLInputElement>('main input[type=search]');
  box?.focus();
  box?.select();
}

/** Runs `open` for Ctrl+K and ⌘K, unless a dialog is open, whose text must not be lost. */
function useCommandKey(open: () => void): void {
  const onPress = useEffectEvent(open);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isPressed(SHELL_KEYS.commands, event)) return;
      // Otherwise browsers move the focus to their own search box.
      event.preventDefault();
      if (!document.querySelector('[role=dialog], [role=alertdialog]')) onPress();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
