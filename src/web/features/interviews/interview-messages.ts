import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import type { StepMessage } from '#contracts/live.ts';
import { parseStepMessageType, STEPS } from '#contracts/rules/steps.ts';
import { afterResponses } from '#web/lib/after-responses.ts';
import { useLive } from '#web/lib/live.ts';
import type { ReceivedMessage } from '#web/lib/live-message.ts';
import { type ToastAction, toastNews } from '#web/lib/toast.ts';
import { openOnDashboard } from './dialogs/open-dialog.ts';
import { patchInterview, reloadEdited, reloadInterviews } from './interviews-cache.ts';

const isStepMessage = (message: ReceivedMessage): message is StepMessage => parseStepMessageType(message.type) !== null;

/** Turns `conversion-completed` into `Conversion Completed`. */
const titleOf = (type: string) =>
  type
    .split(/[^a-z0-9]+/i)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

function withProgress({ type, data }: StepMessage, { processingStatus }: Interview): Partial<Interview> {
  const message = parseStepMessageType(type);
  if (!message) return {};
  const { record, status } = STEPS[message.step];
  const step = {
    status: 'in-progress' as const,
    updatedAt: new Date().toISOString(),
    ...(data.message && { note: data.message }),
  };
  return {
    [status]: 'in-progress',
    processingStatus: {
      ...processingStatus,
      [record]: message.step === 'convert' ? { ...step, progress: data.progress ?? 0 } : step,
    },
  };
}

/**
 * Progress changes the card. The end of a step shows a toast and reloads the list, and so does any
 * other message whose type contains `completed` or `failed`.
 */
export function useStepMessages(): void {
  const queryClient = useQueryClient();
  useLive((message) => {
    if (message.type === 'other' && /completed|failed/i.test(message.name))
      showEnd(queryClient, { type: message.name, data: { interviewId: null, message: message.message } });
    if (!isStepMessage(message)) return;
    const { interviewId } = message.data;
    if (message.type.endsWith('progress'))
      patchInterview(queryClient, interviewId, (interview) => withProgress(message, interview));
    else afterResponses(queryClient, { routes: START_ROUTES, id: interviewId }, () => showEnd(queryClient, message));
  });
}

const START_ROUTES = [
  'POST /api/interviews/:id/convert',
  'POST /api/interviews/:id/transcribe',
  'POST /api/interviews/:id/summarize',
] as const;

interface StepEnd {
  type: string;
  data: Pick<StepMessage['data'], 'message' | 'isGrouped' | 'youtubeUrl'> & { interviewId: string | null };
}

/** Opens the result of a completed step: the video on YouTube, or the text. */
function viewOf({ type, data: { interviewId, youtubeUrl } }: StepEnd): ToastAction | undefined {
  const view = (onClick: () => void) => ({ label: 'View', isLink: true, onClick });
  if (type === 'conversion-completed')
    return youtubeUrl ? view(() => open(youtubeUrl, '_blank', 'noopener')) : undefined;
  const dialog = TEXT_DIALOGS[type];
  return dialog && interviewId ? view(() => openOnDashboard(dialog, interviewId)) : undefined;
}

const TEXT_DIALOGS: Readonly<Record<string, 'transcript' | 'summary' | undefined>> = {
  'transcription-completed': 'transcript',
  'summary-completed': 'summary',
};

function showEnd(queryClient: QueryClient, end: StepEnd): void {
  const { type, data } = end;
  const action = viewOf(end);
  // A bulk run announces its end once for all of its steps.
  if (!data.isGrouped)
    toastNews({
      title: titleOf(type),
      description: data.message || undefined,
      variant: /failed/i.test(type) ? 'destructive' : 'default',
      ...(action && { action }),
    });
  reloadInterviews(queryClient);
  if (!data.interviewId) return;
  // Dialogs must show the new transcript and summary, and where the answers start.
  for (const path of [
    '/api/interviews/:id/transcript',
    '/api/interviews/:id/summary',
    '/api/interviews/:id/answers',
  ] as const)
    queryClient.invalidateQueries({ queryKey: [path, { params: { id: data.interviewId } }] });
}

const EDIT_DELAY_MS = 300;

/**
 * Shows edits by colleagues. Edits that follow each other cause one read, with a random delay, so
 * that not all browsers read at the same moment.
 */
export function useEditMessages(): void {
  const queryClient = useQueryClient();
  const edited = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLive((message) => {
    if (message.type !== 'interview-edited') return;
    edited.current.add(message.data.interviewId);
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined;
        reloadEdited(queryClient, edited.current);
        edited.current = new Set();
      },
      EDIT_DELAY_MS * (1 + Math.random()),
    );
  });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
}
