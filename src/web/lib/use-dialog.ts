import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { navigate, useSearch } from 'wouter/use-browser-location';
import { MAX_ROW_ID } from '#contracts/rules/limits.ts';
import { type RestrictedRoute, useMay } from './may.ts';
import { createStore } from './store.ts';
import { urlWith } from './use-url-filters.ts';

const DIALOG = 'dialog';
const ID = 'id';
/** This dialog has its own parameter, so that links to an interview are short. */
const VIDEO = 'video';
const INTERVIEW = 'interview';
/** Where the video starts, in seconds. */
const AT = 'at';
/** The player works through the unwatched interviews. */
const REVIEW = 'review';
/** The review plays the answers to one question, such as 2, of the interviews of a job. */
const ANSWER = 'answer';
const JOB = 'job';
/** The player opens with the scorecard unfolded. */
const SCORECARD = 'scorecard';
const PAGE = 'page';
const PARAMETERS: readonly string[] = [DIALOG, ID, INTERVIEW, AT, REVIEW, ANSWER, JOB, SCORECARD];
/** Dialogs for users who may make a call. A link to one does not open it for others. */
const NEEDED: Readonly<Record<string, RestrictedRoute | undefined>> = {
  setup: 'GET /api/setup',
  refresh: 'GET /api/interviews/sync',
  upload: 'POST /api/uploads',
  destination: 'POST /api/interviews/:id/destination',
  ats: 'POST /api/interviews/:id/ats',
  'bulk-destination': 'POST /api/bulk',
  'bulk-report': 'POST /api/bulk',
  share: 'POST /api/shares',
  'bulk-share': 'POST /api/shares',
  'create-funnel': 'POST /api/funnels',
  'edit-funnel': 'PUT /api/funnels/:id',
  'delete-funnel': 'DELETE /api/funnels/:id',
};
/**
 * Marks a history entry that `open` added, so that `close` can go back instead of leaving it
 * behind.
 */
const ADDED = { addedByDialog: true };

/**
 * The open dialog of a page is part of its URL, such as `?dialog=edit&id=7`: a link opens it, a
 * reload keeps it, and Back closes it. The player's is `?interview=BUB-7`.
 *
 *     const { dialog, id, open, close } = useDialog(['edit', 'delete']);
 *     <Button onClick={() => open('edit', funnel.id)} />
 *     {dialog === 'edit' && <EditDialog id={id} onClose={close} />}
 *
 * Names are unique across the pages and the shell. `dialog` is null unless the URL contains one
 * of `names`.
 */
export function useDialog<Name extends string>(names: readonly Name[]) {
  const params = new URLSearchParams(useSearch());
  const opened = openedIn(params);
  const mayOpen = useMayOpen();
  const dialog = names.find((name) => name === opened.name && mayOpen(name)) ?? null;
  const id = dialog && opened.id;
  // Stable, so that cards which receive `open` do not render again.
  const open = useCallback((name: Name, id?: string | number, at?: number) => openDialog({ name, id, at }), []);
  const close = () => {
    const current = new URLSearchParams(location.search);
    // A save may end after Back has already closed its dialog.
    const { name, id: currentId } = openedIn(current);
    if (dialog && name === dialog && currentId === id) closeDialog(current);
  };
  return { dialog, id, open, close };
}

function useMayOpen(): (name: string) => boolean {
  const may = useMay();
  return (name) => {
    const needed = NEEDED[name];
    return !needed || may(needed);
  };
}

/** Removes a dialog from the URL that the user may not open, and calls `onDenied`. */
export function useDeniedDialog(onDenied: () => void): void {
  const { name } = openedIn(new URLSearchParams(useSearch()));
  const mayOpen = useMayOpen();
  const isDenied = name !== null && !mayOpen(name);
  const handleDenied = useEffectEvent(() => {
    closeDialog(new URLSearchParams(location.search));
    onDenied();
  });
  useEffect(() => {
    if (isDenied) handleDenied();
  }, [isDenied]);
}

/** The dialog that a URL contains. */
function openedIn(params: URLSearchParams): { name: string | null; id: string | null } {
  const interview = params.get(INTERVIEW);
  return interview === null ? { name: params.get(DIALOG), id: params.get(ID) } : { name: VIDEO, id: interview };
}

/** True when the URL opens a dialog about an item, such as an interview. */
export const isItemShown = (params: URLSearchParams): boolean => openedIn(params).id !== null;

/** Where the URL starts the video, in seconds; null when it does not. */
export function useStartSeconds(): number | null {
  const at = new URLSearchParams(useSearch()).get(AT);
  return at !== null && /^\d{1,6}(\.\d+)?$/.test(at) ? Number(at) : null;
}

/**
 * True while the URL opens the player on the unwatched interviews. Part of the dialog, so that
 * the list has its own filters again when the player closes.
 */
export const useIsReviewing = (): boolean => isReview(new URLSearchParams(useSearch()));

export const isReview = (params: URLSearchParams): boolean => params.has(INTERVIEW) && params.get(REVIEW) === '1';

/** True when the URL opens the player with the scorecard unfolded. */
export const useIsScorecardOpen = (): boolean => new URLSearchParams(useSearch()).get(SCORECARD) === '1';

export interface AnswerReview {
  /** The number of the question, from 1. */
  answer: number;
  /** The id of the funnel. */
  job: number;
}

/** Null unless the URL opens the player on the answers to one question. */
export const useAnswerReview = (): AnswerReview | null => answerReviewIn(new URLSearchParams(useSearch()));

function answerReviewIn(params: URLSearchParams): AnswerReview | null {
  const [answer, job] = [ANSWER, JOB].map((name) => Number(params.get(name)));
  return isReview(params) && isCount(answer) && isCount(job) ? { answer, job } : null;
}

const isCount = (number: number | undefined): number is number =>
  Number.isInteger(number) && number !== undefined && number > 0 && number <= MAX_ROW_ID;

/**
 * The item that a dialog shows: its current state, or the last known one after it has left the
 * list.
 */
export function useLastKnown<Item extends { id: string | number }>(
  listed: readonly Item[] | null | undefined,
  id: string | null,
): Item | null {
  const current = listed?.find((item) => String(item.id) === id) ?? null;
  const [last, setLast] = useState({ id, item: current });
  if (last.id !== id || (current && current !== last.item)) setLast({ id, item: current });
  return id === last.id ? (current ?? last.item) : current;
}

/**
 * True between `history.back()` and its end, which comes later and removes what was added since.
 */
const isGoingBack = createStore(false);

interface OpenedDialog {
  name: string;
  id?: string | number | undefined;
  /** Where the video starts, in seconds. */
  at?: number | undefined;
  /** Begins a review on the first page of the unwatched interviews. */
  review?: boolean | AnswerReview | undefined;
  /** Unfolds the scorecard in the player. */
  scorecard?: boolean;
}

/** A dialog that is already open is replaced, so that Back returns to the page. */
export function openDialog(opened: OpenedDialog): void {
  if (isGoingBack.get()) {
    addEventListener('popstate', () => openDialog(opened), { once: true });
    return;
  }
  const current = new URLSearchParams(location.search);
  const replace = openedIn(current).name !== null;
  const page = withoutDialog(current);
  if (opened.review) page.delete(PAGE);
  navigate(urlWith(withOpened(page, opened)), { replace, state: replace ? history.state : ADDED });
}

/**
 * Shows an interview in the open player, above a page of the list. Back still closes the player.
 */
export function showNextInterview(id: string, page: number): void {
  const current = new URLSearchParams(location.search);
  const params = withoutDialog(current);
  if (page > 1) params.set(PAGE, String(page));
  else params.delete(PAGE);
  navigate(urlWith(withOpened(params, { name: VIDEO, id, review: answerReviewIn(current) ?? isReview(current) })), {
    replace: true,
    state: history.state,
  });
}

function withOpened(page: URLSearchParams, { name, id, at, review, scorecard }: OpenedDialog): URLSearchParams {
  const params = new URLSearchParams(page);
  if (name === VIDEO && id !== undefined) params.set(INTERVIEW, String(id));
  else {
    params.set(DIALOG, name);
    if (id !== undefined) params.set(ID, String(id));
  }
  if (at !== undefined) params.set(AT, String(Math.round(at * 10) / 10));
  if (scorecard) params.set(SCORECARD, '1');
  if (review) params.set(REVIEW, '1');
  if (typeof review === 'object') {
    params.set(ANSWER, String(review.answer));
    params.set(JOB, String(review.job));
  }
  return params;
}

function closeDialog(params: URLSearchParams): void {
  const wasAdded = history.state?.addedByDialog === true;
  navigate(urlWith(withoutDialog(params)), { replace: true });
  // Closing is already decided: the step back must not ask again.
  guards.clear();
  if (!wasAdded) return;
  isGoingBack.set(true);
  history.back();
}

/** The parameters of the page alone. */
export function withoutDialog(params: URLSearchParams): URLSearchParams {
  const page = new URLSearchParams(params);
  // The page of a review is one of its list.
  if (isReview(params)) page.delete(PAGE);
  for (const name of PARAMETERS) page.delete(name);
  return page;
}

/** Adds the dialog that is open now to other parameters of the same page. */
export function withDialog(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of new URLSearchParams(location.search))
    if (PARAMETERS.includes(name)) next.set(name, value);
  return next;
}

/** Runs `action` once a dialog that is being closed has left the history. */
export function afterGoingBack(action: () => void): void {
  if (isGoingBack.get()) addEventListener('popstate', () => setTimeout(action), { once: true });
  else action();
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

// This file is part of the first load: the listener must be registered before the router's.
addEventListener('popstate', (event) => {
  isGoingBack.set(false);
  [...guards].at(-1)?.(event);
});
