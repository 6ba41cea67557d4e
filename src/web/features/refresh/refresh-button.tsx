import { useQuery } from '@tanstack/react-query';
import { CircleStop, RefreshCw } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useCancelRefresh, useStartRefresh } from '#web/features/refresh/refresh-actions.ts';
import { useRefreshStatus } from '#web/features/refresh/refresh-status.ts';
import { activeFunnel } from '#web/lib/api.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { Button } from '#web/ui/button.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';

const loadDialog = () => import('#web/features/refresh/refresh-options-dialog.tsx');
const RefreshOptionsDialog = lazy(() => loadDialog().then((m) => ({ default: m.RefreshOptionsDialog })));

/** Where Go to Refresh leads. */
export const REFRESH_BUTTON_ID = 'refresh';

/** Starts a refresh; while one runs it is the button that cancels it. */
export function RefreshButton() {
  const status = useRefreshStatus();
  return status?.inProgress ? <CancelButton requested={status.cancelRequested} /> : <StartButton />;
}

function StartButton() {
  const [choosing, setChoosing] = useState(false);
  const start = useStartRefresh({ onDone: () => setChoosing(false) });
  const funnel = useQuery(endpointQuery(activeFunnel));
  const missing = !funnel.isPending && !funnel.data;

  return (
    <>
      <Tooltip text={missing ? 'Configure an active funnel first' : 'Sync interviews from API'} side="left">
        <Button
          id={REFRESH_BUTTON_ID}
          variant="primary"
          pending={start.isPending}
          disabled={!funnel.data}
          onPointerEnter={loadDialog}
          onClick={() => setChoosing(true)}
        >
          {!start.isPending && <RefreshCw aria-hidden />}
          Refresh
        </Button>
      </Tooltip>
      <Suspense>
        {choosing && (
          <RefreshOptionsDialog
            pending={start.isPending}
            onStart={(timeframe) => start.mutate({ query: { timeframe } })}
            onClose={() => setChoosing(false)}
          />
        )}
      </Suspense>
    </>
  );
}

function CancelButton({ requested }: { requested: boolean }) {
  const cancel = useCancelRefresh();
  const pending = cancel.isPending || requested;
  return (
    <Button id={REFRESH_BUTTON_ID} variant="danger" pending={pending} onClick={() => cancel.mutate({})}>
      {!pending && <CircleStop aria-hidden className="max-sm:hidden" />}
      Cancel Refresh
    </Button>
  );
}
