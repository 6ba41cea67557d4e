import type { Actor, LogStatus, LogType } from '#contracts/logs.ts';

export const TYPE_OPTIONS: readonly { value: LogType | 'all'; label: string }[] = [
  { value: 'all', label: 'All Types' },
  { value: 'refresh', label: 'Refresh' },
  { value: 'auth', label: 'Authentication' },
  { value: 'system', label: 'System' },
  { value: 'error', label: 'Error' },
];

export const typeLabel = (type: LogType): string => TYPE_OPTIONS.find(({ value }) => value === type)?.label ?? type;

/** Tabs and the type filter are the same parameter, so they never contradict each other. */
export const TABS = [
  { value: 'all', label: 'All Logs' },
  { value: 'refresh', label: 'Refresh Logs' },
  { value: 'error', label: 'Error Logs' },
] as const satisfies readonly { value: LogType | 'all'; label: string }[];
export type LogTab = (typeof TABS)[number]['value'];

/** A type without its own tab is shown under All Logs. */
export const tabOf = (type: LogType | 'all'): LogTab => TABS.find(({ value }) => value === type)?.value ?? 'all';

/** Success green, error red, warning yellow, info blue. */
export const STATUS_TONES = {
  success: 'success',
  error: 'danger',
  warning: 'warning',
  info: 'info',
} as const satisfies Record<LogStatus, string>;

/** Who caused an entry, in a few words. */
export function describeActor({ kind, name, address }: Actor): string {
  switch (kind) {
    case 'account':
      return `by ${name}`;
    case 'command':
      return `by ${name} on the command line`;
    case 'anonymous':
      return `not signed in, from ${address}`;
    case 'system':
      return 'by the server';
    case 'automation':
      return name === null ? 'automatically' : `automatically, set up by ${name}`;
  }
}
