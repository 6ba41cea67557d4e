import type { UseQueryResult } from '@tanstack/react-query';
import { Terminal } from 'lucide-react';
import { useState } from 'react';
import type { ApiToken } from '#contracts/api-tokens.ts';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { toast, toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { useReload } from '#web/lib/use-reload.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { LoadError } from '#web/ui/feedback/load-error.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { AlertDialog } from '#web/ui/overlays/alert-dialog.tsx';

interface Props {
  tokens: UseQueryResult<ApiToken[] | null>;
  /** Shown without tokens. */
  empty: string;
}

export function TokenList({ tokens, empty }: Props) {
  const { data, isPending, error } = tokens;
  const [revoked, setRevoked] = useState<ApiToken | null>(null);
  if (isPending) return <Loading>Loading...</Loading>;
  if (error) return <LoadError title="Couldn't load the API tokens" query={tokens} />;
  if (!data) return null;
  if (data.length === 0)
    return (
      <EmptyState icon={<Terminal />} title="No API tokens" className="py-8">
        {empty}
      </EmptyState>
    );
  return (
    <>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {data.map((token) => (
          <TokenItem key={token.id} token={token} onRevoke={() => setRevoked(token)} />
        ))}
      </ul>
      {revoked && <RevokeDialog token={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}

function TokenItem({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { name, scopes, prefix, expiresAt, lastUsedAt, lastUsedAddress } = token;
  const isExpired = Date.parse(expiresAt) <= Date.now();
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <div className="flex min-w-0 grow flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span className="wrap-anywhere">{name}</span>
          {isExpired && <Badge tone="warning">Expired</Badge>}
        </p>
        <p className="flex flex-wrap items-center gap-1.5">
          <code className="mr-1 text-sm text-muted">{prefix}…</code>
          {scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </p>
        <p className="text-sm text-muted">
          {isExpired ? 'Expired' : 'Expires'} {formatDate(expiresAt)}
        </p>
        <p className="text-sm wrap-anywhere text-faint">
          {lastUsedAt
            ? `Last used ${formatDateTime(lastUsedAt)}${lastUsedAddress ? ` from ${lastUsedAddress}` : ''}`
            : 'Never used'}
        </p>
      </div>
      <Button size="sm" aria-label={`Revoke ${name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  );
}

function RevokeDialog({ token: { id, name }, onClose }: { token: ApiToken; onClose: () => void }) {
  const reload = useReload('/api/tokens', '/api/accounts/:id/tokens');
  const revoke = useAction('DELETE /api/tokens/:id', {
    onSuccess: () => {
      reload();
      toast({ title: 'Token revoked', description: `${name} no longer works.` });
      onClose();
    },
    onError: (error) => {
      // It was revoked in another window.
      if (error.status === 404) onClose();
      reload();
      toastFailure(`Couldn't revoke ${name}`)(error);
    },
  });
  return (
    <AlertDialog
      guardsBack
      onClose={onClose}
      title={`Revoke ${name}?`}
      description="Programs that use this token stop working immediately. This can't be undone."
      confirm="Revoke"
      destructive
      pending={revoke.isPending}
      onConfirm={() => revoke.mutate({ params: { id } })}
    />
  );
}
