import {
  Bell,
  KeyRound,
  ListChecks,
  LogOut,
  type LucideIcon,
  MonitorSmartphone,
  MonitorX,
  ShieldCheck,
  Terminal,
} from 'lucide-react';
import { useLogout } from '#web/features/session/session.ts';
import { useMay } from '#web/lib/may.ts';

/** Dialogs that can open above any page. */
export const SHELL_DIALOGS = [
  'menu',
  'shortcuts',
  'commands',
  'change-password',
  'second-factor',
  'devices',
  'api-tokens',
  'sign-out-everywhere',
  'setup',
  'notices',
  'notice-settings',
] as const;
export type OpenShellDialog = (dialog: (typeof SHELL_DIALOGS)[number]) => void;

export interface AccountAction {
  label: string;
  Icon: LucideIcon;
  onSelect: () => void;
  isPending?: boolean;
}

/** The account actions of the user menu and of the side menu. */
export function useAccountActions(open: OpenShellDialog) {
  const logout = useLogout();
  const setup = { label: 'Setup', Icon: ListChecks, onSelect: () => open('setup') };
  return {
    /** Empty for users without access. */
    setup: useMay()('GET /api/setup') ? [setup] : [],
    changePassword: { label: 'Change password', Icon: KeyRound, onSelect: () => open('change-password') },
    secondFactor: { label: 'Two-factor sign-in', Icon: ShieldCheck, onSelect: () => open('second-factor') },
    devices: { label: 'Signed-in devices', Icon: MonitorSmartphone, onSelect: () => open('devices') },
    apiTokens: { label: 'API tokens', Icon: Terminal, onSelect: () => open('api-tokens') },
    notices: { label: 'Notices', Icon: Bell, onSelect: () => open('notice-settings') },
    logout: { label: 'Logout', Icon: LogOut, onSelect: () => logout.mutate(), isPending: logout.isPending },
    signOutEverywhere: { label: 'Sign out everywhere', Icon: MonitorX, onSelect: () => open('sign-out-everywhere') },
  } satisfies Record<string, AccountAction | AccountAction[]>;
}
