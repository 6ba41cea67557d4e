import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { LONGEST_SECONDS } from '#contracts/rules/limits.ts';
import { patchInterview } from '#web/features/interviews/interviews-cache.ts';
import { updateDuration } from '#web/lib/api.ts';
import { logError } from '#web/lib/log.ts';
import { useAction } from '#web/lib/use-action.ts';

/**
 * Saves the length that the player measured, once, when none is stored (0).
 * A recording without an end in its header first says Infinity, and its length when the player has found it.
 */
export function useDurationCorrection(interview: Interview): (seconds: number) => void {
  const client = useQueryClient();
  const done = useRef(interview.duration !== 0);
  const correct = useAction(updateDuration, {
    onSuccess: ({ duration }, { params }) => patchInterview(client, params.id, () => ({ duration })),
    // Nobody asked for it: it is tried again when the video is opened the next time.
    onError: (error) => logError('The duration could not be saved', error),
  });
  return (seconds) => {
    const duration = Math.round(seconds);
    if (done.current || !Number.isFinite(duration) || duration < 1 || duration > LONGEST_SECONDS) return;
    done.current = true;
    correct.mutate({ params: { id: interview.id }, body: { duration } });
  };
}
