import type { Theme } from '#web/lib/theme.ts';

export const THEME_CHOICES: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];
