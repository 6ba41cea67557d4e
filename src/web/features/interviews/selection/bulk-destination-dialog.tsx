import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { startBulkRun } from '#contracts/bulk.ts';
import type { CallInput } from '#contracts/endpoint.ts';
import type { Interview } from '#contracts/interviews.ts';
import { DestinationDialog } from '#web/features/interviews/dialogs/destination/destination-dialog.tsx';
import { FindJob } from '#web/features/interviews/dialogs/destination/find-job.tsx';
import { destinationDefaultsQuery } from '#web/features/interviews/interviews-query.ts';
import { useDraftKey } from '#web/features/session/session.ts';
import { call } from '#web/lib/call.ts';
import { formatCount, formatNumber } from '#web/lib/format.ts';
import { RadioGroup } from '#web/ui/forms/radio-group.tsx';

type Body = CallInput<typeof startBulkRun>['body'];

interface Props {
  count: number;
  target: Body['target'];
  /** The selected interviews that are on the page. */
  known: readonly Interview[];
  pending: boolean;
  onSave: (destination: Required<Pick<Body, 'existing'>> & { destinationId: string; notes: string }) => void;
  onClose: () => void;
}

/** One destination for all selected interviews, or for those that have none. */
export function BulkDestinationDialog({ count, target, known, pending, onSave, onClose }: Props) {
  const [existing, setExisting] = useState<'keep' | 'replace'>('keep');
  const withDestination = useCountWithDestination(target);
  const [first] = known;
  const { data } = useQuery({ ...destinationDefaultsQuery(first?.funnelIdNum ?? 0), enabled: first !== undefined });
  // Interviews on other pages may belong to another client.
  const isOneClient = known.length === count && known.every(({ clientName }) => clientName === first?.clientName);
  return (
    <DestinationDialog
      draftKey={useDraftKey('destination of many')}
      subject={formatCount(count, 'interview')}
      destinationId={null}
      notes={null}
      suggestedEmployerId={isOneClient ? (data?.employerId ?? null) : null}
      {...(data && { linkTemplate: data.linkTemplate })}
      finder={(onFind) => <FindJob onFind={onFind} />}
      pending={pending}
      onSave={(destination) => onSave({ ...destination, existing })}
      onClose={onClose}
    >
      {withDestination > 0 && (
        <fieldset className="mb-4">
          <legend className="mb-2 text-sm font-medium">
            {formatNumber(withDestination)} of {formatNumber(count)} already {withDestination === 1 ? 'has' : 'have'} a
            destination
          </legend>
          <RadioGroup
            label="Existing destinations"
            name="existing"
            value={existing}
            onChange={setExisting}
            choices={[
              { value: 'keep', label: 'Keep theirs' },
              { value: 'replace', label: 'Replace', description: 'Their notes stay unless you write new ones.' },
            ]}
          />
        </fieldset>
      )}
    </DestinationDialog>
  );
}

/** 0 until it is known: the default keeps what exists. */
function useCountWithDestination(target: Body['target']): number {
  const check = useQuery({
    queryKey: ['POST /api/bulk/check', target],
    queryFn: ({ signal }) => call('POST /api/bulk/check', { body: { target } }, { signal }),
    staleTime: 0,
    retry: false,
  });
  return check.data?.withDestination ?? 0;
}
