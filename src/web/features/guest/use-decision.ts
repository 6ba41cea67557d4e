import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ClientVerdict, SharedItem } from '#contracts/shares.ts';
import { createStore } from '#web/lib/store.ts';
import { LinkError, saveLastVerdict, saveVerdict } from './guest-link.ts';

type Decision = Pick<SharedItem, 'verdict' | 'verdictNote'>;

interface Unsaved {
  /** As the client typed it. */
  note: string;
  /** The decision that the server has. */
  saved: Decision;
  /** The last request to save the decision. */
  attempt: symbol | null;
  /** Why the last attempt failed. */
  problem: string;
}

/**
 * Unsaved decisions by candidate. They stay while other candidates or the greeting are shown.
 */
const unsaved = createStore<ReadonlyMap<number, Unsaved>>(new Map());

function setUnsaved(n: number, entry: Unsaved | null): void {
  const all = new Map(unsaved.get());
  if (entry) all.set(n, entry);
  else all.delete(n);
  unsaved.set(all);
}

interface DecisionOptions {
  item: SharedItem;
  sender: string;
  onChange: (part: Partial<SharedItem>) => void;
  onError: (error: unknown) => void;
}

/** The decision on a candidate. A note is saved at the latest when the form or the page is left. */
export function useDecision({ item, sender, onChange, onError }: DecisionOptions) {
  const { n, verdict, verdictNote } = item;
  const [status, setStatus] = useState('');
  const entry = unsaved.use((all) => all.get(n)) ?? {
    ...{ note: verdictNote ?? '', saved: { verdict, verdictNote }, attempt: null, problem: '' },
  };
  const { note, problem } = entry;
  const save = async (next: ClientVerdict, send = saveVerdict) => {
    const decision = { verdict: next, verdictNote: note.trim() || null };
    const attempt = Symbol(next);
    setStatus('');
    setUnsaved(n, { ...entry, attempt, problem: '' });
    onChange(decision);
    try {
      await send(n, next, decision.verdictNote);
      const now = unsaved.get().get(n);
      const isDone = now?.attempt === attempt && now.note === note;
      if (now) setUnsaved(n, isDone ? null : { ...now, saved: decision });
      setStatus(`Saved. ${sender} can see your decision.`);
    } catch (error) {
      const now = unsaved.get().get(n);
      // A later choice is already shown, and is being saved.
      if (now?.attempt !== attempt) return;
      onChange(now.saved);
      setUnsaved(n, { ...now, problem: problemOf(error) });
      onError(error);
    }
  };
  const isNoteSaved = (note.trim() || null) === verdictNote;
  const saveNote = (send = saveVerdict) => {
    if (verdict && !isNoteSaved) void save(verdict, send);
  };
  useSaveOnLeave(saveNote);
  const type = (text: string) => setUnsaved(n, { ...entry, note: text });
  return { note, isNoteSaved, status: problem || status, type, save, saveNote };
}

/**
 * The client sees the form again only after opening the link again, as the message of a 401 asks.
 */
const problemOf = (error: unknown): string =>
  error instanceof LinkError && error.status === 401
    ? "Your last change wasn't saved. Try again."
    : (error as Error).message;

/** Calls `save` when the component is removed or the page closes. */
function useSaveOnLeave(save: (send: typeof saveVerdict) => void): void {
  const latest = useRef(save);
  // Before the next event, which may be the closing of the page.
  useLayoutEffect(() => {
    latest.current = save;
  });
  useEffect(() => {
    const onClose = () => latest.current(saveLastVerdict);
    addEventListener('pagehide', onClose);
    return () => {
      removeEventListener('pagehide', onClose);
      latest.current(saveVerdict);
    };
  }, []);
}
