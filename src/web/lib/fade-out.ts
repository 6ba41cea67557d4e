const FADE_MS = 150;
const REMOVAL_MS = 1_000;

/**
 * Fades an element out before it is removed. Resolves immediately where motion is reduced. An
 * element that stays, because its removal failed, becomes visible again.
 */
export async function fadeOut(element: Element | null | undefined): Promise<void> {
  if (!element?.animate || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const fade = element.animate({ opacity: 0, scale: 0.98 }, { duration: FADE_MS, easing: 'ease-in', fill: 'forwards' });
  // Not the promise of the animation, which pauses in a hidden tab.
  await new Promise((resolve) => setTimeout(resolve, FADE_MS));
  setTimeout(() => fade.cancel(), REMOVAL_MS);
}
