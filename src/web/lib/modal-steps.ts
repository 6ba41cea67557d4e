import type { AroundNavHandler } from 'wouter';

/** Marks the entries of the session history that stand for open modals, with how many of them. */
const MARK = 'modals';
/** A browser that is asked to go back hundreds of times leaves some out. */
const ARRIVAL_LIMIT_MS = 1_000;

/** How to ask the modals that are open to close, the topmost last. */
const open: (() => void)[] = [];
/** What was asked for while the browser is on its way back. */
const waiting: (() => void)[] = [];
/** While the browser is on its way back, at our request. */
let travelling: ReturnType<typeof setTimeout> | undefined;
/** What the address became while modals were open, for the entry below them. */
let replaced: string | null = null;

const steps = (): number => Number(history.state?.[MARK] ?? 0);

/**
 * Makes Back close a modal instead of leaving the page: each one that is open has a step of its own in the session history. Not by a
 * `CloseWatcher`: that hears of the Back gesture of Android alone, and only in some browsers. `close` asks the modal to close; one that stays open
 * has its step back at once. Returns what to call when it has closed, by whatever: that takes the step away.
 */
export function addModalStep(close: () => void): () => void {
  open.push(close);
  // One modal may take the place of another, and then its step.
  queueMicrotask(settle);
  return () => {
    open.splice(open.indexOf(close), 1);
    queueMicrotask(settle);
  };
}

/** Navigation of the router beside open modals: where it leads takes the place of their step, and is not undone when they have closed. */
export const aroundModalSteps: AroundNavHandler = (navigate, to, options) => {
  if (travelling || steps() > open.length) {
    waiting.push(() => aroundModalSteps(navigate, to, options));
    settle();
  } else if (steps() === 0) navigate(to, options);
  else if (options?.replace) {
    navigate(to, { ...options, state: history.state });
    replaced = location.href;
  } else {
    navigate(to, { ...options, replace: true });
    // What leads away also closes the modals.
    setTimeout(settle);
  }
};

/** As many steps as modals. Also for those of a page that was loaded again, or that Forward leads to. */
function settle(): void {
  if (travelling) return;
  const surplus = steps() - open.length;
  if (surplus > 0) {
    travelling = setTimeout(arrive, ARRIVAL_LIMIT_MS);
    history.go(-surplus);
    return;
  }
  while (steps() < open.length) history.pushState({ [MARK]: steps() + 1 }, '');
  for (const navigate of waiting.splice(0)) navigate();
}

function arrive(): void {
  clearTimeout(travelling);
  travelling = undefined;
  settle();
}

function move(): void {
  if (replaced) history.replaceState(history.state, '', replaced);
  if (steps() === 0) replaced = null;
  if (travelling) {
    arrive();
    return;
  }
  for (const close of open.slice(steps()).reverse()) close();
  // By then they have closed, or asked whether they may.
  setTimeout(settle);
}

addEventListener('popstate', move);
settle();
