import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { MAX_DURATION_SECONDS } from '#contracts/rules/limits.ts';
import { patchInterview } from '#web/features/interviews/interviews-cache.ts';
import { logError } from '#web/lib/log.ts';
import { useMay } from '#web/lib/may.ts';
import { useAction } from '#web/lib/use-action.ts';

/**
 * Saves the duration measured by the player once, when none is stored (0). A recording without a
 * duration in its header first reports Infinity.
 */
export function useDurationCorrection(interview: Interview): (seconds: number) => void {
  const queryClient = useQueryClient();
  const mayCorrect = useMay()('POST /api/interviews/:id/update-duration');
  const done = useRef(interview.duration !== 0);
  const correct = useAction('POST /api/interviews/:id/update-duration', {
    onSuccess: ({ duration }, { params }) => patchInterview(queryClient, params.id, () => ({ duration })),
    // A background call: it is retried when the video is opened again.
    onError: (error) => logError('Failed to save the duration', error),
  });
  return (seconds) => {
    const duration = Math.round(seconds);
    if (!mayCorrect || done.current || !Number.isFinite(duration) || duration < 1 || duration > MAX_DURATION_SECONDS)
      return;
    done.current = true;
    correct.mutate({ params: { id: interview.id }, body: { duration } });
  };
}
