import type { Account } from '#contracts/accounts.ts';
import { ROLE_LABELS, ROLES } from '#contracts/rules/roles.ts';
import type { FilterFormat } from '#web/lib/use-url-filters.ts';
import { parsePage } from '#web/ui/layout/page-numbers.ts';

export const PAGE_SIZE = 25;

/** The highest role comes first. */
export const ROLE_OPTIONS = ROLES.toReversed().map((value) => ({ value, label: ROLE_LABELS[value] }));

export const ROLE_CHOICES = [{ value: 'all' as const, label: 'All roles' }, ...ROLE_OPTIONS];

export const STATE_CHOICES = [
  { value: 'all', label: 'All states' },
  { value: 'enabled', label: 'Enabled' },
  { value: 'disabled', label: 'Disabled' },
] as const;

export interface AccountFilters {
  search: string;
  role: (typeof ROLE_CHOICES)[number]['value'];
  state: (typeof STATE_CHOICES)[number]['value'];
  page: number;
}

const DEFAULTS: AccountFilters = { search: '', role: 'all', state: 'all', page: 1 };

const NAMES = Object.keys(DEFAULTS) as (keyof AccountFilters)[];

export const ACCOUNT_FILTERS: FilterFormat<AccountFilters> = {
  names: NAMES,
  read: (params) => ({
    search: params.get('search') ?? DEFAULTS.search,
    role: ROLE_CHOICES.find(({ value }) => value === params.get('role'))?.value ?? DEFAULTS.role,
    state: STATE_CHOICES.find(({ value }) => value === params.get('state'))?.value ?? DEFAULTS.state,
    page: parsePage(params.get('page')),
  }),
  write: (filters) =>
    new URLSearchParams(
      NAMES.filter((name) => filters[name] !== DEFAULTS[name]).map((name) => [name, String(filters[name])]),
    ),
};

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
