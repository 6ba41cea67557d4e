import { useQuery } from '@tanstack/react-query';
import { CircleStop, RefreshCw } from 'lucide-react';
import { UploadButton } from '#web/features/uploads/upload-button.tsx';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { Tooltip } from '#web/ui/overlays/tooltip.tsx';
import { useCancelRefresh, useStartRefresh } from './refresh-actions.ts';
import { useRefreshStatus } from './refresh-status.ts';

const RefreshOptionsDialog = lazyPart(() => import('./refresh-options-dialog.tsx').then((m) => m.RefreshOptionsDialog));

export const REFRESH_BUTTON_ID = 'refresh';

/** Fits the texts of both buttons, so that the toolbar does not move. */
const WIDTH = 'min-w-34 sm:min-w-40';

/** Starts a refresh. While one runs, the same button cancels it. */
export function RefreshButton() {
  const status = useRefreshStatus();
  return status?.inProgress ? <CancelButton isRequested={status.cancelRequested} /> : <StartButton />;
}

function StartButton() {
  const { dialog, open, close } = useDialog(['refresh']);
  const start = useStartRefresh({ onDone: close });
  const funnel = useQuery(endpointQuery('/api/funnels/active'));
  const isMissing = !funnel.isPending && !funnel.data;
  const takesUploads = funnel.data?.source === 'upload';
  const purpose = takesUploads ? 'Recordings of this funnel are added by upload' : 'Sync interviews from API';

  return (
    <>
      {funnel.data && takesUploads && <UploadButton funnel={funnel.data} />}
      <Tooltip text={isMissing ? 'Configure an active funnel first' : purpose}>
        <Button
          id={REFRESH_BUTTON_ID}
          variant="primary"
          pending={start.isPending}
          disabled={!funnel.data || takesUploads}
          className={takesUploads ? undefined : WIDTH}
          onPointerEnter={RefreshOptionsDialog.preload}
          onClick={() => open('refresh')}
        >
          {!start.isPending && <RefreshCw aria-hidden />}
          Refresh
        </Button>
      </Tooltip>
      {dialog && (
        <RefreshOptionsDialog
          funnelName={funnel.data?.name}
          pending={start.isPending}
          onStart={(timeframe) => start.mutate({ query: { timeframe } })}
          onClose={close}
        />
      )}
    </>
  );
}

function CancelButton({ isRequested }: { isRequested: boolean }) {
  const cancel = useCancelRefresh();
  const pending = cancel.isPending || isRequested;
  return (
    <Button
      id={REFRESH_BUTTON_ID}
      variant="danger"
      pending={pending}
      className={WIDTH}
      onClick={() => cancel.mutate({})}
    >
      {!pending && <CircleStop aria-hidden className="max-sm:hidden" />}
      Cancel Refresh
    </Button>
  );
}
