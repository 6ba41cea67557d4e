import { useEffect, useRef, useState } from 'react';

const STILL_MS = 300;

/**
 * The text of a search box that is committed once typing has stood still.
 * Without a draft the box shows the committed value, so that Back, a link and Clear filters reach it.
 */
export function useSearchDraft(committed: string, commit: (text: string) => void) {
  const [draft, setDraft] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    text: draft ?? committed,
    type: (text: string) => {
      setDraft(text);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        commit(text);
        setDraft(null);
      }, STILL_MS);
    },
    drop: () => {
      clearTimeout(timer.current);
      setDraft(null);
    },
  };
}
