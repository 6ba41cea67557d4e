import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';

const DIALOG = 'dialog';
const ID = 'id';
/**
 * Marks a history entry that `open` added, so that `close` can go back instead of leaving it
 * behind.
 */
const ADDED = { addedByDialog: true };

/**
 * The open dialog of a page is part of its address, such as `?dialog=video&id=BUB-7`: a link opens
 * it, a reload keeps it, and Back closes it.
 *
 *     const { dialog, id, open, close } = useDialog(['edit', 'delete']);
 *     <Button onClick={() => open('edit', funnel.id)} />
 *     {dialog === 'edit' && <EditDialog id={id} onClose={close} />}
 *
 * Names are unique across the pages and the shell. `dialog` is null unless the address contains one
 * of `names`.
 */
export function useDialog<Name extends string>(names: readonly Name[]) {
  const params = new URLSearchParams(useSearch());
  const dialog = names.find((name) => name === params.get(DIALOG)) ?? null;
  const id = dialog && params.get(ID);
  // Stable, so that cards which receive `open` do not render again.
  const open = useCallback((name: Name, id?: string | number) => openDialog(name, id), []);
  const close = () => {
    const current = new URLSearchParams(location.search);
    // A save may end after Back has already closed its dialog.
    if (dialog && current.get(DIALOG) === dialog && current.get(ID) === id) closeDialog(current);
  };
  return { dialog, id, open, close };
}

/**
 * The item that a dialog shows: its current state, or the last known one after it has left the
 * list.
 */
export function useLastKnown<Item>(current: Item | null, id: string | null): Item | null {
  const [last, setLast] = useState({ id, item: current });
  if (last.id !== id || (current && current !== last.item)) setLast({ id, item: current });
  return id === last.id ? (current ?? last.item) : current;
}

/**
 * True between `history.back()` and its end, which comes later and removes what was added since.
 */
let isGoingBack = false;

/** A dialog that is already open is replaced, so that Back returns to the page. */
function openDialog(name: string, id?: string | number): void {
  if (isGoingBack) {
    addEventListener('popstate', () => openDialog(name, id), { once: true });
    return;
  }
  const params = new URLSearchParams(location.search);
  const replace = params.has(DIALOG);
  params.set(DIALOG, name);
  params.delete(ID);
  if (id !== undefined) params.set(ID, String(id));
  navigate(`${location.pathname}?${params}`, { replace, state: replace ? history.state : ADDED });
}

function closeDialog(params: URLSearchParams): void {
  const wasAdded = history.state?.addedByDialog === true;
  navigate(addressOf(withoutDialog(params)), { replace: true });
  // Closing is already decided: the step back must not ask again.
  guards.clear();
  if (!wasAdded) return;
  isGoingBack = true;
  history.back();
}

const addressOf = (params: URLSearchParams) => (params.size > 0 ? `${location.pathname}?${params}` : location.pathname);

/** The parameters of the page alone. */
export function withoutDialog(params: URLSearchParams): URLSearchParams {
  const page = new URLSearchParams(params);
  page.delete(DIALOG);
  page.delete(ID);
  return page;
}

/** Adds the dialog that is open now to other parameters of the same page. */
export function withDialog(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of new URLSearchParams(location.search))
    if (name === DIALOG || name === ID) next.set(name, value);
  return next;
}

/** In the order of activation. */
const guards = new Set<(event: PopStateEvent) => void>();

/**
 * While active, Back stays on this history entry and calls `onBack` instead, for what would be
 * lost: unsaved text, or a confirmation above a dialog. The guard that was activated last takes
 * precedence.
 */
export function useBackGuard(isActive: boolean, onBack: () => void): void {
  const handleBack = useEffectEvent(onBack);
  useEffect(() => {
    if (!isActive) return;
    const { state } = history;
    const { href } = location;
    const guard = (event: PopStateEvent) => {
      // The router must not see the entry that Back led to.
      event.stopImmediatePropagation();
      history.pushState(state, '', href);
      handleBack();
    };
    guards.add(guard);
    return () => void guards.delete(guard);
  }, [isActive]);
}

// This file is part of the first load: the listener must be registered before that of the router.
addEventListener('popstate', (event) => {
  isGoingBack = false;
  [...guards].at(-1)?.(event);
});
