import { useEffect, useState } from 'react';
import { z } from 'zod';

/** A text as it was read, with the version that says which one it is. */
export interface TextVersion {
  text: string;
  version: string;
}

/** What a tab keeps: the words, and the text that they were begun with. */
const Kept = z.object({ draft: z.string(), base: z.object({ text: z.string(), version: z.string() }) });

/**
 * What somebody is writing, kept in this tab until it is saved or thrown away: a session that ends, a press on Back or a reload in the
 * middle costs nobody their words. `restored` is true when such words were found; `theirs` is the text that somebody else has put in the
 * place of the one that these words were begun with.
 */
export function useDraft(key: string, stored: TextVersion) {
  const place = placeOf(key);
  const [kept] = useState(() => readKept(place));
  const [draft, setDraft] = useState(kept?.draft ?? stored.text);
  const [base, setBase] = useState(kept?.base ?? stored);
  const changed = draft !== base.text;
  const replaced = stored.version !== base.version;
  if (replaced && !changed) {
    setBase(stored);
    setDraft(stored.text);
  }
  useEffect(() => {
    if (changed) sessionStorage.setItem(place, JSON.stringify({ draft, base }));
    else sessionStorage.removeItem(place);
  }, [place, draft, base, changed]);
  return {
    draft,
    setDraft,
    changed,
    restored: kept !== null,
    theirs: replaced && changed ? stored : null,
    /** Saved, or thrown away on purpose. */
    forget: () => forgetDraft(key),
  };
}

/** Whether something is kept under this key that was neither saved nor thrown away. */
export const hasDraft = (key: string): boolean => readKept(placeOf(key)) !== null;

const placeOf = (key: string) => `draft ${key}`;

/** To be called when what was kept under this key is saved, or thrown away on purpose. */
export const forgetDraft = (key: string) => sessionStorage.removeItem(placeOf(key));

function readKept(place: string): z.infer<typeof Kept> | null {
  try {
    return Kept.parse(JSON.parse(sessionStorage.getItem(place) ?? ''));
  } catch {
    return null;
  }
}
