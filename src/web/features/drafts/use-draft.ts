import { useEffect, useState } from 'react';
import { z } from 'zod';
import { DRAFT_PREFIX } from './has-drafts.ts';

/** A stored text with its version. */
export interface VersionedText {
  text: string;
  version: string;
}

/** The unsaved text, and the stored text it is based on. */
const StoredDraft = z.object({ draft: z.string(), base: z.object({ text: z.string(), version: z.string() }) });

/**
 * Keeps unsaved text in session storage until it is saved or discarded, so that it survives an
 * expired session, Back and a reload.
 */
export function useDraft(key: string, stored: VersionedText) {
  const storageKey = storageKeyOf(key);
  const [saved] = useState(() => readDraft(storageKey));
  const [draft, setDraft] = useState(saved?.draft ?? stored.text);
  const [base, setBase] = useState(saved?.base ?? stored);
  const changed = draft !== base.text;
  const replaced = stored.version !== base.version;
  // Ignore a stored text that equals the draft, such as after saving a part of a form.
  if ((!changed || draft === stored.text) && (replaced || stored.text !== base.text)) {
    setBase(stored);
    setDraft(stored.text);
  }
  useEffect(() => {
    if (changed) sessionStorage.setItem(storageKey, JSON.stringify({ draft, base }));
    else sessionStorage.removeItem(storageKey);
  }, [storageKey, draft, base, changed]);
  return {
    draft,
    setDraft,
    changed,
    /** True while the text comes from session storage, until it is discarded or saved. */
    restored: saved !== null && changed,
    /** The stored text, if another user has changed it since the draft was started; else null. */
    theirs: replaced && changed ? stored : null,
    /** Returns to the stored text. */
    discard: () => {
      setBase(stored);
      setDraft(stored.text);
    },
    /** Call it after the text was saved or discarded. */
    forget: () => forgetDraft(key),
  };
}

/** True when there is unsaved text under this key. */
export const hasDraft = (key: string): boolean => readDraft(storageKeyOf(key)) !== null;

const storageKeyOf = (key: string) => `${DRAFT_PREFIX}${key}`;

/** Deletes the draft after it was saved or discarded. */
export const forgetDraft = (key: string) => sessionStorage.removeItem(storageKeyOf(key));

function readDraft(storageKey: string): z.infer<typeof StoredDraft> | null {
  try {
    return StoredDraft.parse(JSON.parse(sessionStorage.getItem(storageKey) ?? ''));
  } catch {
    return null;
  }
}
