import type { Account } from '#contracts/accounts.ts';
import { ROLE_LABELS, ROLES } from '#contracts/rules/roles.ts';
import { choiceFilters } from '#web/ui/layout/choice-filters.ts';

export const PAGE_SIZE = 25;

/** The highest role comes first. */
export const ROLE_OPTIONS = ROLES.toReversed().map((value) => ({ value, label: ROLE_LABELS[value] }));

export const ROLE_CHOICES = [{ value: 'all' as const, label: 'All roles' }, ...ROLE_OPTIONS];

export const STATE_CHOICES = [
  { value: 'all', label: 'All states' },
  { value: 'enabled', label: 'Enabled' },
  { value: 'disabled', label: 'Disabled' },
] as const;

export const ACCOUNT_FILTERS = choiceFilters({ role: ROLE_CHOICES, state: STATE_CHOICES });
export type AccountFilters = ReturnType<typeof ACCOUNT_FILTERS.read>;

/** Returns the matching accounts of all pages. */
export function filterAccounts(accounts: readonly Account[], { search, role, state }: AccountFilters): Account[] {
  const term = search.trim().toLowerCase();
  return accounts.filter(
    (account) =>
      [account.username, account.email].some((text) => text?.toLowerCase().includes(term)) &&
      (role === 'all' || account.role === role) &&
      (state === 'all' || account.isDisabled === (state === 'disabled')),
  );
}
