import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { Interview } from '#contracts/interviews.ts';
import type { BadgeFacts } from '#contracts/rules/badges.ts';
import { STEPS, type Step } from '#contracts/rules/steps.ts';
import type { ApiError } from '#web/lib/api-error.ts';
import { toast } from '#web/lib/toast.ts';
import { useAction } from '#web/lib/use-action.ts';
import { patchInterview, reloadInterviews } from './interviews-cache.ts';

const TOAST_TITLES = {
  convert: { started: 'Conversion Started', failed: 'Conversion Failed' },
  transcribe: { started: 'Transcription Started', failed: 'Transcription Failed' },
  summarize: { started: 'Summary Generation Started', failed: 'Summary Generation Failed' },
} as const;

export type Steps = Record<Step, { start: () => void; isPending: boolean }>;

const outcomeOf = (queryClient: QueryClient, step: Step) => ({
  onSuccess: ({ message }: { message: string }, { params }: { params: { id: string } }) => {
    toast({ title: TOAST_TITLES[step].started, description: message });
    patchInterview(queryClient, params.id, () => ({ [STEPS[step].status]: 'in-progress' }));
    reloadInterviews(queryClient);
  },
  onError: ({ message }: ApiError) =>
    toast({ title: TOAST_TITLES[step].failed, description: message, variant: 'destructive' }),
});

/** Starts the three steps of an interview. `isPending` covers only requests of this browser. */
export function useSteps(id: string): Steps {
  const queryClient = useQueryClient();
  const convert = useAction('POST /api/interviews/:id/convert', outcomeOf(queryClient, 'convert'));
  const transcribe = useAction('POST /api/interviews/:id/transcribe', outcomeOf(queryClient, 'transcribe'));
  const summarize = useAction('POST /api/interviews/:id/summarize', outcomeOf(queryClient, 'summarize'));
  const input = { params: { id } };
  // The player moves on to another interview while a request is pending.
  const stepOf = (action: typeof convert) => ({
    start: () => action.mutate(input),
    isPending: action.isPending && action.variables.params.id === id,
  });
  return { convert: stepOf(convert), transcribe: stepOf(transcribe), summarize: stepOf(summarize) };
}

/** Returns a function that starts the summary of an interview. */
export function useSummarize(): (id: string) => void {
  const action = useAction('POST /api/interviews/:id/summarize', outcomeOf(useQueryClient(), 'summarize'));
  return (id) => action.mutate({ params: { id } });
}

/** The facts for badges and tabs. A pending request counts as in progress (section 4). */
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
