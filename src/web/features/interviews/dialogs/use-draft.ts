import { useEffect, useState } from 'react';

/**
 * What somebody is writing, kept in this tab until it is saved or thrown away: a session that ends, a press on Back or a reload in the
 * middle costs nobody their words. `restored` is true when such a text was found.
 */
export function useDraft(key: string, text: string) {
  const place = `draft ${key}`;
  const [kept] = useState(() => sessionStorage.getItem(place));
  const [draft, setDraft] = useState(kept ?? text);
  const changed = draft !== text;
  useEffect(() => {
    if (changed) sessionStorage.setItem(place, draft);
    else sessionStorage.removeItem(place);
  }, [place, draft, changed]);
  return {
    draft,
    setDraft,
    changed,
    restored: kept !== null && kept !== text,
    /** Saved, or thrown away on purpose. */
    forget: () => sessionStorage.removeItem(place),
  };
}
