import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { getAtsPush } from '#contracts/ats-pushes.ts';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { Interview } from '#contracts/interviews.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useLive } from '#web/lib/live.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
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
  const queryClient = useQueryClient();
  const name = useAtsName() ?? 'the ATS';
  const [chosen, setChosen] = useState<string | null>(null);
  const [shareId, setShareId] = useState<number | null>(null);
  const params = { id: interview.id };
  const { data, error, refetch, isFetching } = useQuery({
    ...endpointQuery('/api/interviews/:id/ats', { params, query: shareId === null ? {} : { shareId } }),
    staleTime: 0,
    retry: false,
    placeholderData: (former) => former,
  });
  useLive((message) => {
    if (message.type === 'interview-edited' && message.data.interviewId === interview.id) void refetch();
  });
  const send = useAction('POST /api/interviews/:id/ats', {
    onSuccess: () => {
      toast({ title: `Sending to ${name}`, description: 'The card shows when the note has been stored.' });
      queryClient.invalidateQueries({ queryKey: ['/api/interviews'] });
      queryClient.invalidateQueries({ queryKey: ['/api/interviews/:id'] });
      onClose();
    },
    onError: ({ message }) =>
      toast({ title: 'Error', description: `Couldn't send to ${name}: ${message}`, variant: 'destructive' }),
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
      {error && (
        <Alert
          tone="danger"
          title={`Couldn't read from ${name}`}
          actions={
            <Button size="sm" pending={isFetching} onClick={() => void refetch()}>
              Retry
            </Button>
          }
        >
          {error.message}
        </Alert>
      )}
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
