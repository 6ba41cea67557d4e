import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { reloadEdited } from '#web/features/interviews/interviews-cache.ts';
import { useLive } from '#web/lib/live.ts';

const GATHER_MS = 300;

/** What colleagues do to an interview shows by itself. Edits that follow each other are one reading, and not every browser asks in the same moment. */
export function useEditMessages(): void {
  const client = useQueryClient();
  const edited = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLive((message) => {
    if (message.type !== 'interview-edited') return;
    edited.current.add(message.data.interviewId);
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined;
        reloadEdited(client, edited.current);
        edited.current = new Set();
      },
      GATHER_MS * (1 + Math.random()),
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
