import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { getAtsPush } from '#contracts/ats-pushes.ts';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { Interview } from '#contracts/interviews.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useLive } from '#web/lib/live.ts';
import { toast, toastFailure } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { useReload } from '#web/lib/use-reload.ts';
import { LoadError } from '#web/ui/feedback/load-error.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';
import { describePush } from './push-states.ts';
import { CandidateChoice, JobFacts, NotePreview, PushState, VerdictChoice } from './send-fields.tsx';
import { useAtsName } from './use-ats-name.ts';

interface Props {
  interview: Interview;
  onClose: () => void;
}

/** Previews the note about an interview, and sends it. */
export function SendDialog({ interview, onClose }: Props) {
  const name = useAtsName() ?? 'the ATS';
  const [chosen, setChosen] = useState<string | null>(null);
  const [shareId, setShareId] = useState<number | null>(null);
  const params = { id: interview.id };
  const sendable = useQuery({
    ...endpointQuery('/api/interviews/:id/ats', { params, query: shareId === null ? {} : { shareId } }),
    staleTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
  });
  const { data, error } = sendable;
  useLive((message) => {
    if (message.type === 'interview-edited' && message.data.interviewId === interview.id) void sendable.refetch();
  });
  const reload = useReload('/api/interviews', '/api/interviews/:id');
  const send = useAction('POST /api/interviews/:id/ats', {
    onSuccess: () => {
      toast({ title: `Sending to ${name}`, description: 'The card shows when the note has been stored.' });
      reload();
      onClose();
    },
    onError: toastFailure(`Couldn't send to ${name}`),
  });
  const candidateId = data ? chosenOf(data, chosen) : null;
  const submit = () => {
    if (candidateId !== null) send.mutate({ params, body: { candidateId, shareId } });
  };
  const push = data?.push ?? null;
  const isReady = candidateId !== null && data?.job != null && interview.summaryStatus === 'completed';
  return (
    <FormDialog
      size="lg"
      title={push?.sentAt ? `Update the note in ${name}` : `Send to ${name}`}
      description={interview.title}
      action={push ? describePush(push).action : 'Send'}
      pending={send.isPending}
      disabled={!isReady || push?.state === 'pending' || isUnchanged(data, candidateId, shareId)}
      onSubmit={submit}
      onClose={onClose}
      className="flex flex-col gap-5"
    >
      {error && <LoadError title={`Couldn't read from ${name}`} query={sendable} />}
      {!data && !error && <Loading>Loading...</Loading>}
      {data && (
        <>
          {push && <PushState push={push} atsName={name} />}
          <CandidateChoice
            {...{ data, interview, candidateId }}
            atsName={name}
            onChange={setChosen}
            disabled={send.isPending}
          />
          <JobFacts job={data.job} destinationId={interview.destinationId} atsName={name} />
          <VerdictChoice interviewId={interview.id} shareId={shareId} onChange={setShareId} />
          <NotePreview note={data.note} hasSummary={interview.summaryStatus === 'completed'} />
        </>
      )}
    </FormDialog>
  );
}

type Sendable = NonNullable<ResponseOf<typeof getAtsPush>>;

const chosenOf = (data: Sendable, chosen: string | null): string | null =>
  data.candidates.find(({ id }) => id === chosen)?.id ?? preselectedOf(data);

/** The candidate who has the note, or the only one. */
function preselectedOf({ candidates, push }: Sendable): string | null {
  if (candidates.length === 1) return candidates[0]?.id ?? null;
  return candidates.find(({ url }) => url !== null && url === push?.url)?.id ?? null;
}

/** Adding a verdict or choosing another candidate also changes an up-to-date note. */
const isUnchanged = (data: Sendable | null | undefined, candidateId: string | null, shareId: number | null): boolean =>
  data?.push?.state === 'sent' && !data.push.isChanged && shareId === null && candidateId === preselectedOf(data);
