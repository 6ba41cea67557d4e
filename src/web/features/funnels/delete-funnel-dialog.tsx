import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Funnel } from '#contracts/funnels.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatCount } from '#web/lib/format.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { AlertDialog } from '#web/ui/overlays/alert-dialog.tsx';
import { useDeleteFunnel } from './funnel-actions.ts';

/** A funnel with more interviews is deleted only after its name is typed. */
const MAX_UNNAMED = 10;

/** Lists the interviews and recordings that a deletion would remove. */
export function DeleteFunnelDialog({ funnel, onClose }: { funnel: Funnel; onClose: () => void }) {
  const deletion = useDeleteFunnel(onClose);
  const params = { id: funnel.id };
  const { data: contents } = useQuery({
    ...endpointQuery('/api/funnels/:id/contents', { params }),
    staleTime: 0,
  });
  const [typed, setTyped] = useState('');
  const needsName = (contents?.interviews ?? funnel.interviewCount) > MAX_UNNAMED;
  const isNamed = typed.trim() === funnel.name.trim();
  return (
    <AlertDialog
      onClose={onClose}
      title="Are you sure?"
      description={`This will permanently delete the funnel "${funnel.name}" and all its associated data. This action cannot be undone.`}
      confirm={deletion.isPending ? 'Deleting...' : 'Delete'}
      destructive
      pending={deletion.isPending}
      canConfirm={!needsName || isNamed}
      onConfirm={() => deletion.mutate({ params })}
    >
      {/* One line high from the start, so that nothing moves when the numbers arrive. */}
      <p className="mt-3 min-h-5 font-medium">
        {contents &&
          `${formatCount(contents.interviews, 'interview')}, ${formatCount(contents.recordings, 'recording')}`}
      </p>
      {needsName && (
        <div className="mt-3">
          <Field label="Type the funnel's name to delete it">
            {(control) => (
              <Input {...control} value={typed} autoComplete="off" onChange={({ target }) => setTyped(target.value)} />
            )}
          </Field>
        </div>
      )}
    </AlertDialog>
  );
}
