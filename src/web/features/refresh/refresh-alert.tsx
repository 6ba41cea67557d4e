import { RefreshCw } from 'lucide-react';
import { progressPercent } from '#contracts/rules/format.ts';
import type { RefreshStatus } from '#contracts/sync.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { useDismissRefreshError } from './refresh-actions.ts';
import { useRefreshStatus } from './refresh-status.ts';
import { useArrivingInterviews } from './use-arriving-interviews.ts';

/** The progress of the running refresh, or the error of the last one. */
export function RefreshAlert() {
  const status = useRefreshStatus();
  useArrivingInterviews(status);
  if (status?.inProgress) return <RefreshProgress status={status} />;
  if (status?.error) return <RefreshError status={status} />;
  return null;
}

function RefreshProgress({ status }: { status: RefreshStatus }) {
  const percent = progressPercent(status.processed, status.total);
  return (
    <Card className="mb-5 border-accent/30 p-4 sm:px-5">
      <div className="flex items-start gap-3">
        <RefreshCw aria-hidden className="mt-0.75 size-4 shrink-0 animate-spin text-accent-ink" />
        <div className="min-w-0 grow">
          <p className="font-medium">Refresh in Progress - {percent}%</p>
          <p className="truncate text-sm text-muted">{status.current || 'Processing interviews...'}</p>
          <Progress label="Refresh progress" percent={percent} className="mt-3" />
          <Counters status={status} />
        </div>
      </div>
      <SpokenProgress percent={percent} />
    </Card>
  );
}

function RefreshError({ status }: { status: RefreshStatus }) {
  const dismiss = useDismissRefreshError();
  return (
    <Alert
      tone="danger"
      title="Refresh Error"
      className="mb-5"
      actions={
        <Button size="sm" onClick={() => dismiss.mutate({})}>
          Dismiss
        </Button>
      }
    >
      <p>{status.error}</p>
      <Progress
        label="Refresh progress"
        percent={progressPercent(status.processed, status.total)}
        className="mt-3 bg-surface [&>div]:bg-danger"
      />
      <Counters status={status} />
    </Alert>
  );
}

function Counters({ status }: { status: RefreshStatus }) {
  return (
    <div className="mt-2 flex flex-wrap gap-x-5 gap-y-0.5 text-sm text-muted">
      <p>
        Processed: {status.processed} of {status.total} interviews
      </p>
      <p>
        Files: {status.downloadedFiles} of {status.totalFiles}
      </p>
    </div>
  );
}

/** Announces every tenth percent only: a screen reader could not finish more messages. */
function SpokenProgress({ percent }: { percent: number }) {
  return (
    <p role="status" className="sr-only">
      Refresh {Math.floor(percent / 10) * 10} percent complete
    </p>
  );
}
