/** How long to wait for a page to become as tall as it was. */
const RESTORE_TIMEOUT_MS = 10_000;
/** Events that report a new URL. The router dispatches the last two. */
const MOVES = ['popstate', 'pushState', 'replaceState'];

/**
 * Scrolls a new page to its top, and restores the scroll position on Back. Browsers do neither
 * here: they keep the position when a script replaces the page, and on Back they scroll before the
 * content has loaded. Moves within one page are left to the browser. Returns a function that stops.
 */
export function keepScrollPlaces(): () => void {
  /** The scroll position of each URL in this tab, in pixels. */
  const positions = new Map<string, number>();
  const url = () => location.pathname + location.search;
  const stopped = new AbortController();
  let page = location.pathname;
  let giveUp = () => {};

  const savePosition = () => positions.set(url(), scrollY);
  const onMove = ({ type }: Event) => {
    if (location.pathname === page) return;
    page = location.pathname;
    giveUp();
    if (type === 'popstate') giveUp = scrollWhenTallEnough(positions.get(url()) ?? 0);
    else scrollTo({ top: 0 });
  };
  addEventListener('scroll', savePosition, { passive: true, signal: stopped.signal });
  for (const type of MOVES) addEventListener(type, onMove, { signal: stopped.signal });
  return () => {
    stopped.abort();
    giveUp();
  };
}

/** Returns a function that gives up. Scrolling, pressing and typing give up as well. */
function scrollWhenTallEnough(top: number): () => void {
  const giveUpAt = performance.now() + RESTORE_TIMEOUT_MS;
  const done = new AbortController();
  const attempt = () => {
    if (done.signal.aborted) return;
    const isTallEnough = document.documentElement.scrollHeight - innerHeight >= top;
    if (!isTallEnough && performance.now() < giveUpAt) {
      requestAnimationFrame(attempt);
      return;
    }
    scrollTo({ top });
    done.abort();
  };
  for (const type of ['wheel', 'pointerdown', 'keydown'])
    addEventListener(type, () => done.abort(), { signal: done.signal });
  // The previous page is removed before the next frame.
  requestAnimationFrame(attempt);
  return () => done.abort();
}
