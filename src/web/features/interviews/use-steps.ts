import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { Interview } from '#contracts/interviews.ts';
import type { BadgeFacts } from '#contracts/rules/badges.ts';
import { patchInterview, reloadInterviews } from '#web/features/interviews/interviews-cache.ts';
import { convertInterview, summarizeInterview, transcribeInterview } from '#web/lib/api.ts';
import type { ApiError } from '#web/lib/api-error.ts';
import { toast } from '#web/lib/toast.tsx';
import { useAction } from '#web/lib/use-action.ts';

/** What a person is told about a step, and where the interview keeps its state. */
const STEPS = {
  convert: { status: 'youtubeStatus', started: 'Conversion Started', failed: 'Conversion Failed' },
  transcribe: { status: 'transcriptionStatus', started: 'Transcription Started', failed: 'Transcription Failed' },
  summarize: { status: 'summaryStatus', started: 'Summary Generation Started', failed: 'Summary Generation Failed' },
} as const;

export type StepName = keyof typeof STEPS;
export type Steps = Record<StepName, { start: () => void; isPending: boolean }>;

const outcome = (client: QueryClient, step: StepName) => ({
  onSuccess: ({ message }: { message: string }, { params }: { params: { id: string } }) => {
    toast({ title: STEPS[step].started, description: message });
    patchInterview(client, params.id, () => ({ [STEPS[step].status]: 'in-progress' }));
    reloadInterviews(client);
  },
  onError: ({ message }: ApiError) =>
    toast({ title: STEPS[step].failed, description: message, variant: 'destructive' }),
});

/** The three steps of one interview, and which of them this browser is asking for right now. */
export function useSteps(id: string): Steps {
  const client = useQueryClient();
  const convert = useAction(convertInterview, outcome(client, 'convert'));
  const transcribe = useAction(transcribeInterview, outcome(client, 'transcribe'));
  const summarize = useAction(summarizeInterview, outcome(client, 'summarize'));
  const input = { params: { id } };
  return {
    convert: { start: () => convert.mutate(input), isPending: convert.isPending },
    transcribe: { start: () => transcribe.mutate(input), isPending: transcribe.isPending },
    summarize: { start: () => summarize.mutate(input), isPending: summarize.isPending },
  };
}

/** The interview as its badges and tabs show it: a request on its way counts as in progress (section 4). */
export function factsWith(interview: Interview, steps: Steps): BadgeFacts {
  const { youtubeId, destinationId } = interview;
  return {
    youtubeId,
    destinationId,
    youtubeStatus: steps.convert.isPending ? 'in-progress' : interview.youtubeStatus,
    transcriptionStatus: steps.transcribe.isPending ? 'in-progress' : interview.transcriptionStatus,
    summaryStatus: steps.summarize.isPending ? 'in-progress' : interview.summaryStatus,
  };
}
