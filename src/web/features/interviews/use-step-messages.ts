import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { Interview } from '#contracts/interviews.ts';
import type { LiveMessage, StepMessage } from '#contracts/live.ts';
import { STEP_MESSAGE_TYPES } from '#contracts/rules/step-message-types.ts';
import { patchInterview, reloadInterviews } from '#web/features/interviews/interviews-cache.ts';
import { afterAnswers } from '#web/lib/after-answers.ts';
import { convertInterview, getSummary, getTranscript, summarizeInterview, transcribeInterview } from '#web/lib/api.ts';
import { useLive } from '#web/lib/live.ts';
import { toastNews } from '#web/lib/toast.tsx';

const TYPES: ReadonlySet<string> = new Set(STEP_MESSAGE_TYPES);
const isStepMessage = (message: LiveMessage): message is StepMessage => TYPES.has(message.type);

/** `conversion-completed` as people read it: `Conversion Completed`. */
const titleOf = (type: string) =>
  type
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

/** Where an interview keeps the state of the step that a message speaks of. */
const STEP_OF = {
  conversion: ['youtube', 'youtubeStatus'],
  transcription: ['transcription', 'transcriptionStatus'],
  summary: ['summary', 'summaryStatus'],
} as const;

/** A step that is under way, as its card shows it. */
function progressed({ type, data }: StepMessage, { processingStatus }: Interview): Partial<Interview> {
  const [entry, status] = STEP_OF[type.split('-')[0] as keyof typeof STEP_OF];
  const step = {
    status: 'in-progress' as const,
    updatedAt: new Date().toISOString(),
    ...(data.message && { note: data.message }),
  };
  return {
    [status]: 'in-progress',
    processingStatus: {
      ...processingStatus,
      [entry]: entry === 'youtube' ? { ...step, progress: data.progress ?? 0 } : step,
    },
  };
}

/** A step that ends is told, and the list read again; one that is under way only changes its card. */
export function useStepMessages(): void {
  const client = useQueryClient();
  useLive((message) => {
    if (!isStepMessage(message)) return;
    const { interviewId } = message.data;
    if (message.type.endsWith('progress'))
      patchInterview(client, interviewId, (interview) => progressed(message, interview));
    else afterAnswers(client, { endpoints: STARTS, id: interviewId }, () => tellEnd(client, message));
  });
}

const STARTS = [convertInterview, transcribeInterview, summarizeInterview];

function tellEnd(client: QueryClient, { type, data }: StepMessage): void {
  toastNews({
    title: titleOf(type),
    description: data.message,
    variant: type.endsWith('failed') ? 'destructive' : 'default',
  });
  reloadInterviews(client);
  // Whoever has the transcript or the summary open, or opens it next, reads the new one.
  for (const { path } of [getTranscript, getSummary])
    client.invalidateQueries({ queryKey: [path, { params: { id: data.interviewId } }] });
}
