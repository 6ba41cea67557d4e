import { useQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Account } from '#contracts/accounts.ts';
import type { Funnel } from '#contracts/funnels.ts';
import { ROLE_LABELS } from '#contracts/rules/roles.ts';
import { useSession } from '#web/features/session/session.ts';
import { cn } from '#web/lib/cn.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Paged } from '#web/ui/layout/pager.tsx';
import { type AccountFilters, filterAccounts, PAGE_SIZE } from './account-filters.ts';
import { AccountMenu, type AccountMenuProps } from './account-menu.tsx';

interface Props extends Omit<AccountMenuProps, 'account' | 'isOwn'> {
  accounts: readonly Account[];
  filters: AccountFilters;
  onClear: () => void;
  onPage: (page: number) => void;
}

export function AccountList({ accounts, filters, onClear, onPage, ...actions }: Props) {
  const found = filterAccounts(accounts, filters);
  if (found.length === 0) {
    return (
      <EmptyState icon={<Users />} title="No accounts found" action={<Button onClick={onClear}>Clear filters</Button>}>
        Try adjusting your search or filters.
      </EmptyState>
    );
  }
  return (
    <Paged rows={found} page={filters.page} pageSize={PAGE_SIZE} onPage={onPage}>
      {(shown) => <AccountTable accounts={shown} {...actions} />}
    </Paged>
  );
}

/** Widths of the columns in the table. */
const COLUMNS = [
  { name: 'Name', className: 'lg:w-[17%]' },
  { name: 'Email', className: '' },
  { name: 'Role', className: 'lg:w-[11%]' },
  { name: 'Funnels', className: 'lg:w-[15%]' },
  { name: 'Two-factor', className: 'lg:w-[10%]' },
  { name: 'Signs in with', className: 'lg:w-[11%]' },
  { name: 'Last seen', className: 'lg:w-[14%]' },
];

type TableProps = Omit<Props, 'filters' | 'onClear' | 'onPage'>;

/** Below the `lg` width each account is a card. */
function AccountTable({ accounts, ...actions }: TableProps) {
  const { user } = useSession({ ask: false });
  const { data: funnels } = useQuery(endpointQuery('/api/funnels'));
  return (
    <Card className="overflow-hidden max-lg:border-0 max-lg:bg-transparent max-lg:shadow-none">
      <table aria-label="Accounts" className="w-full table-fixed border-collapse text-left text-sm max-lg:block">
        <thead className="max-lg:sr-only">
          <tr className="border-b border-line">
            {COLUMNS.map(({ name, className }) => (
              <th key={name} scope="col" className={cn('px-2 py-2.5 font-medium text-faint first:pl-4', className)}>
                {name}
              </th>
            ))}
            <th scope="col" className="lg:w-12">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody className="max-lg:grid max-lg:gap-3 sm:max-lg:grid-cols-2">
          {accounts.map((account) => (
            <AccountRow
              key={account.id}
              account={account}
              isOwn={account.id === user?.id}
              funnels={funnels ?? []}
              {...actions}
            />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

interface RowProps extends AccountMenuProps {
  funnels: readonly Funnel[];
}

function AccountRow({ funnels, ...actions }: RowProps) {
  const { account, isOwn } = actions;
  return (
    <tr className="border-b border-line transition-colors last:border-0 hover:bg-hover/50 max-lg:relative max-lg:grid max-lg:grid-cols-[auto_1fr] max-lg:gap-x-4 max-lg:gap-y-1.5 max-lg:rounded-xl max-lg:border max-lg:border-line max-lg:bg-surface max-lg:p-4 max-lg:shadow-card max-lg:last:border">
      <td className="max-lg:col-span-2 max-lg:pr-10 max-lg:pb-1 lg:py-2.5 lg:pr-2 lg:pl-4">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className={cn('font-medium wrap-anywhere', account.isDisabled && 'text-muted')}>
            {account.username}
          </span>
          {isOwn && <Badge>You</Badge>}
          {account.isDisabled && <Badge tone="warning">Disabled</Badge>}
        </span>
      </td>
      <Cell name="Email">{account.email ?? <None>No email</None>}</Cell>
      <Cell name="Role">{ROLE_LABELS[account.role]}</Cell>
      <Cell name="Funnels">{describeFunnels(account, funnels)}</Cell>
      <Cell name="Two-factor">{account.hasSecondFactor ? 'On' : <None>Off</None>}</Cell>
      <Cell name="Signs in with">{account.identities.length > 0 ? 'Single sign-on' : 'Password'}</Cell>
      <Cell name="Last seen">
        {account.lastSeenAt ? (
          <time dateTime={account.lastSeenAt} title={formatDateTime(account.lastSeenAt)}>
            {formatDate(account.lastSeenAt)}
          </time>
        ) : (
          <None>Never</None>
        )}
      </Cell>
      <td className="max-lg:absolute max-lg:top-2 max-lg:right-2 lg:py-1.5 lg:pr-3 lg:text-right">
        <AccountMenu {...actions} />
      </td>
    </tr>
  );
}

/** On cards the name of the column is next to its value. */
const Cell = ({ name, children }: { name: string; children: ReactNode }) => (
  <td className="min-w-0 wrap-anywhere max-lg:contents lg:px-2 lg:py-2.5">
    <span aria-hidden className="text-faint lg:hidden">
      {name}
    </span>
    <span className="min-w-0">{children}</span>
  </td>
);

const None = ({ children }: { children: string }) => <span className="text-faint">{children}</span>;

/** Lists names for up to this many funnels. */
const MAX_NAMED = 2;

function describeFunnels({ allFunnels, funnelIds }: Account, funnels: readonly Funnel[]): string {
  if (allFunnels) return 'All funnels';
  if (funnelIds.length === 0) return 'No funnels';
  const names = funnelIds.map((id) => funnels.find((funnel) => funnel.id === id)?.name);
  return names.length <= MAX_NAMED && names.every((name) => name !== undefined)
    ? names.join(', ')
    : `${funnelIds.length} ${funnelIds.length === 1 ? 'funnel' : 'funnels'}`;
}
