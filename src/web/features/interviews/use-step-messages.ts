import { useQueryClient } from '@tanstack/react-query';
import type { LiveMessage } from '#contracts/live.ts';
import { patchInterview, reloadInterviews } from '#web/features/interviews/interviews-cache.ts';
import { useLive } from '#web/lib/live.ts';
import { toast } from '#web/lib/toast.tsx';

type StepMessage = Extract<LiveMessage, { data: { interviewId: string } }>;

const isStepMessage = (message: LiveMessage): message is StepMessage =>
  'data' in message && 'interviewId' in message.data;

/** `conversion-completed` as people read it: `Conversion Completed`. */
const titleOf = (type: string) =>
  type
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

/** A step that ends is told, and the list read again; the progress of a conversion only changes its card. */
export function useStepMessages(): void {
  const client = useQueryClient();
  useLive((message) => {
    if (!isStepMessage(message)) return;
    const { interviewId, message: description, progress = 0 } = message.data;
    if (message.type === 'conversion-progress') {
      patchInterview(client, interviewId, ({ processingStatus }) => ({
        youtubeStatus: 'in-progress',
        processingStatus: {
          ...processingStatus,
          youtube: { status: 'in-progress', updatedAt: new Date().toISOString(), progress },
        },
      }));
      return;
    }
    const failed = message.type.endsWith('failed');
    toast({ title: titleOf(message.type), description, variant: failed ? 'destructive' : 'default' });
    reloadInterviews(client);
  });
}
