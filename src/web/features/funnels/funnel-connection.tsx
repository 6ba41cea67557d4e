import { Plug } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { listPositions } from '#contracts/funnels.ts';
import { type FunnelSource, SOURCES } from '#contracts/sources.ts';
import { formatCount } from '#web/lib/format.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Select } from '#web/ui/forms/select.tsx';

type Position = NonNullable<ResponseOf<typeof listPositions>['positions']>[number];

interface Props {
  source: FunnelSource;
  apiKey: string;
  funnelId: string;
  onPosition: (position: Position) => void;
}

/** Tests the connection with the values of the form, and offers the positions of the key. */
export function FunnelConnection({ source, apiKey, funnelId, onPosition }: Props) {
  const check = useAction('POST /api/funnels/check');
  const list = useAction('POST /api/funnels/positions');
  const checked = check.variables?.body;
  // A result is valid for the values of its request only.
  const isCurrent = checked?.source === source && checked.apiKey === apiKey && checked.funnelId === funnelId;
  const isListed = list.variables?.body.source === source && list.variables.body.apiKey === apiKey;
  const results = useShownResults([check.status, list.status].join(' '));
  return (
    <div ref={results} className="flex scroll-mb-4 flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          disabled={apiKey === '' || funnelId === ''}
          pending={check.isPending}
          onClick={() => check.mutate({ body: { source, apiKey, funnelId } })}
        >
          <Plug aria-hidden />
          Test connection
        </Button>
        {SOURCES[source].listsPositions && (
          <Button
            size="sm"
            disabled={apiKey === ''}
            pending={list.isPending}
            onClick={() => list.mutate({ body: { source, apiKey } })}
          >
            List positions
          </Button>
        )}
      </div>
      {isListed && list.error && <Failure source={source} message={list.error.message} />}
      {isListed && list.data?.positions && (
        <PositionPicker positions={list.data.positions} funnelId={funnelId} onPosition={onPosition} />
      )}
      {isCurrent && check.error && <Failure source={source} message={check.error.message} />}
      {isCurrent && check.data && (
        <p role="status" className="text-sm break-words text-success-ink">
          Connected to {check.data.name}: {formatCount(check.data.interviews, 'interview')}
        </p>
      )}
    </div>
  );
}

/** Scrolls to new results: the form is longer than its dialog. */
function useShownResults(state: string) {
  const results = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (/success|error/.test(state)) results.current?.scrollIntoView({ block: 'nearest' });
  }, [state]);
  return results;
}

const Failure = ({ source, message }: { source: FunnelSource; message: string }) => (
  <Alert tone="danger" title={`Couldn't read from ${SOURCES[source].name}`}>
    {message}
  </Alert>
);

function PositionPicker({
  positions,
  funnelId,
  onPosition,
}: {
  positions: readonly Position[];
  funnelId: string;
  onPosition: (position: Position) => void;
}) {
  if (positions.length === 0)
    return (
      <p className="text-sm text-muted">
        This key can't read any positions. Check the key, or enter the Funnel ID yourself.
      </p>
    );
  const isKnown = positions.some(({ id }) => id === funnelId);
  const options = positions.map(({ id, name, isArchived }) => ({
    value: id,
    label: isArchived ? `${name} (archived)` : name,
  }));
  return (
    <Select
      label="Position"
      value={isKnown ? funnelId : ''}
      options={isKnown ? options : [{ value: '', label: 'Choose a position' }, ...options]}
      onChange={(id) => {
        const chosen = positions.find((position) => position.id === id);
        if (chosen) onPosition(chosen);
      }}
    />
  );
}
