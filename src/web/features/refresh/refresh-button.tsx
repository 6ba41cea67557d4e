import { useQuery } from '@tanstack/react-query';
import { CircleStop, RefreshCw } from 'lucide-react';
import type { Funnel } from '#contracts/funnels.ts';
import { SOURCES } from '#contracts/sources.ts';
import { OpenedUpload, UploadButton } from '#web/features/uploads/upload-button.tsx';
import { cn } from '#web/lib/cn.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { Tooltip } from '#web/ui/overlays/tooltip.tsx';
import { ActiveFunnelMenu } from './active-funnel-menu.tsx';
import { useCancelRefresh, useStartRefresh } from './refresh-actions.ts';
import { useRefreshStatus } from './refresh-status.ts';

const RefreshOptionsDialog = lazyPart(() => import('./refresh-options-dialog.tsx').then((m) => m.RefreshOptionsDialog));

export const REFRESH_BUTTON_ID = 'refresh';

/** Fits the texts of both buttons, so that the toolbar does not move. */
const WIDTH = 'min-w-0 max-md:w-full max-md:shrink max-md:px-2 max-md:text-sm md:w-40';

interface Props {
  variant: 'primary' | 'secondary';
  className?: string;
}

/** Refreshes the active funnel, cancels the running refresh, and chooses the active funnel. */
export function RefreshButton({ variant, className }: Props) {
  const status = useRefreshStatus();
  const funnel = useQuery(endpointQuery('/api/funnels/active'));
  const { dialog, open, close } = useDialog(['refresh']);
  const start = useStartRefresh({ onDone: close });
  const looks = status?.inProgress ? 'secondary' : variant;
  const uploaded = funnel.data && !SOURCES[funnel.data.source].isRefreshed ? funnel.data : null;
  return (
    <fieldset className={cn('flex min-w-0', className)}>
      <legend className="sr-only">Refresh</legend>
      {status?.inProgress ? (
        <CancelButton isRequested={status.cancelRequested} />
      ) : (
        <StartButton
          variant={variant}
          funnel={funnel.data}
          isPending={funnel.isPending}
          isStarting={start.isPending}
          onOpen={() => open('refresh')}
        />
      )}
      <ActiveFunnelMenu
        variant={looks}
        className={cn('max-md:w-11 md:w-44', looks === 'primary' ? 'border-l border-white/25' : 'border-l-0')}
      />
      {/* Both stay when someone else starts a refresh. */}
      {uploaded && <OpenedUpload funnel={uploaded} />}
      {dialog && !uploaded && (
        <RefreshOptionsDialog
          funnelName={funnel.data?.name}
          pending={start.isPending}
          onStart={(timeframe) => start.mutate({ query: { timeframe } })}
          onClose={close}
        />
      )}
    </fieldset>
  );
}

interface StartProps extends Pick<Props, 'variant'> {
  /** Null without an active funnel. */
  funnel: Funnel | null | undefined;
  isPending: boolean;
  isStarting: boolean;
  onOpen: () => void;
}

function StartButton({ variant, funnel, isPending, isStarting, onOpen }: StartProps) {
  if (funnel && !SOURCES[funnel.source].isRefreshed) return <UploadButton funnel={funnel} className="rounded-r-none" />;
  const isMissing = !isPending && !funnel;
  return (
    <Tooltip
      text={isMissing ? 'Configure an active funnel first' : 'Sync interviews from API'}
      className="min-w-0 max-md:grow"
    >
      <Button
        id={REFRESH_BUTTON_ID}
        variant={variant}
        pending={isStarting}
        disabled={!funnel}
        className={cn('rounded-r-none', WIDTH)}
        onPointerEnter={RefreshOptionsDialog.preload}
        onClick={onOpen}
      >
        {!isStarting && <RefreshCw aria-hidden className="max-sm:hidden" />}
        Refresh
      </Button>
    </Tooltip>
  );
}

function CancelButton({ isRequested }: { isRequested: boolean }) {
  const cancel = useCancelRefresh();
  const pending = cancel.isPending || isRequested;
  return (
    <Button
      id={REFRESH_BUTTON_ID}
      variant="danger"
      data-command="Cancel Refresh"
      pending={pending}
      className={cn('rounded-r-none', WIDTH)}
      onClick={() => cancel.mutate({})}
    >
      {!pending && <CircleStop aria-hidden className="max-md:hidden" />}
      Cancel Refresh
    </Button>
  );
}
