/** How long a page that comes back may take to be as tall as it was. */
const PATIENCE_MS = 2_000;
/** What says that the address has changed: the router tells of the last two. */
const MOVES = ['popstate', 'pushState', 'replaceState'];

/**
 * Another page begins at its top, and Back leads to where one was. The browser alone does neither: it keeps the place where only the
 * content changes, and goes back before the page is as tall again. Within a page, as from one page of a list to another, it is left to it.
 * Returns the way to stop.
 */
export function keepScrollPlaces(): () => void {
  /** How far down each address of this tab was scrolled, in pixels. */
  const places = new Map<string, number>();
  const address = () => location.pathname + location.search;
  const stopped = new AbortController();
  let page = location.pathname;
  let giveUp = () => {};

  const note = () => places.set(address(), scrollY);
  const move = ({ type }: Event) => {
    if (location.pathname === page) return;
    page = location.pathname;
    giveUp();
    if (type === 'popstate') giveUp = scrollWhenTallEnough(places.get(address()) ?? 0);
    else scrollTo({ top: 0 });
  };
  addEventListener('scroll', note, { passive: true, signal: stopped.signal });
  for (const type of MOVES) addEventListener(type, move, { signal: stopped.signal });
  return () => {
    stopped.abort();
    giveUp();
  };
}

/** Returns the way to give up, which is also done for whoever scrolls or types meanwhile. */
function scrollWhenTallEnough(top: number): () => void {
  const giveUpAt = performance.now() + PATIENCE_MS;
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
  for (const type of ['wheel', 'touchstart', 'keydown'])
    addEventListener(type, () => done.abort(), { signal: done.signal });
  // By then the page that was left is no longer there.
  requestAnimationFrame(attempt);
  return () => done.abort();
}
