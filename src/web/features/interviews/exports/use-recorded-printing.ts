import { useEffect, useEffectEvent } from 'react';
import { logError } from '#web/lib/log.ts';
import { useAction } from '#web/lib/use-action.ts';

/** Reports to the server that the browser prints the page, regardless of how it was started. */
export function useRecordedPrinting(interviewIds: string[]): void {
  const { mutate } = useAction('POST /api/prints', {
    onError: (error) => logError('Failed to record that the page was printed', error),
  });
  const record = useEffectEvent(() => {
    if (interviewIds.length > 0) mutate({ body: { interviewIds } });
  });
  useEffect(() => {
    const onPrint = () => record();
    window.addEventListener('beforeprint', onPrint);
    return () => window.removeEventListener('beforeprint', onPrint);
  }, []);
}
