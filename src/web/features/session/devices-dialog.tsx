import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import type { Device } from '#contracts/session.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { useLive } from '#web/lib/live.ts';
import { toast, toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { LoadError } from '#web/ui/feedback/load-error.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';

/** Read each time it is shown: the times of use are not announced. */
const devicesQuery = { ...endpointQuery('/api/user/devices'), staleTime: 0 };

/** Lists the sessions of the account. Each but the current one can be ended. */
export function DevicesDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const devices = useQuery(devicesQuery);
  useLive(({ type }) => {
    if (type === 'devices-changed') queryClient.invalidateQueries({ queryKey: ['/api/user/devices'] });
  });
  return (
    <Dialog
      onClose={onClose}
      title="Signed-in devices"
      description="Don't recognize one? Sign it out, then change your password."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {devices.isPending && <Loading>Loading...</Loading>}
      {devices.isError && <LoadError title="Couldn't load your devices" query={devices} />}
      {devices.data && (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {devices.data.map((device) => (
            <DeviceItem key={device.id} device={device} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function DeviceItem({ device: { id, device, address, signedInAt, lastUsedAt, isCurrent } }: { device: Device }) {
  const queryClient = useQueryClient();
  const name = device || 'Unknown device';
  const signOut = useAction('DELETE /api/user/devices/:id', {
    onSuccess: () => toast({ title: 'Success', description: `${name} is signed out.` }),
    onError: toastFailure(`Couldn't sign out ${name}`),
  });
  const Icon = /iPhone|iPad|Android/.test(name) ? Smartphone : Monitor;
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <div className="min-w-0 grow text-balance">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {isCurrent && <Badge tone="success">This device</Badge>}
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {address && `${address} · `}Last used {formatDateTime(lastUsedAt)}
        </p>
        <p className="text-sm text-faint">Signed in {formatDate(signedInAt)}</p>
      </div>
      {!isCurrent && (
        <Button
          size="sm"
          aria-label={`Sign out ${name}`}
          pending={signOut.isPending}
          onClick={() =>
            signOut.mutate(
              { params: { id } },
              { onSettled: () => queryClient.invalidateQueries({ queryKey: ['/api/user/devices'] }) },
            )
          }
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
