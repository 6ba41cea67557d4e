import { storedValue } from '#web/lib/stored-value.ts';

export const SPEEDS = ['0.75', '1', '1.25', '1.5', '1.75', '2'] as const;

/** How this browser plays videos. */
export const playerSettings = storedValue('player', (stored) => {
  const { speed, volume, isMuted, hasCaptions } = Object(stored) as Record<string, unknown>;
  return {
    speed: SPEEDS.find((known) => known === speed) ?? '1',
    /** From 0 to 1. */
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : 1,
    isMuted: isMuted === true,
    hasCaptions: hasCaptions === true,
  };
});

/** Selects the next faster (1) or slower (-1) speed. */
export function changeSpeed(by: 1 | -1): void {
  const speed = SPEEDS[SPEEDS.indexOf(playerSettings.get().speed) + by];
  if (speed) playerSettings.change({ speed });
}

/** A video that was left this close to its end starts from the beginning. */
const END_SECONDS = 5;
const positionKey = (interviewId: string) => `position ${interviewId}`;

/** Remembers in this tab how far an interview was watched. */
export function rememberPosition(interviewId: string, { currentTime, duration }: HTMLVideoElement): void {
  if (currentTime > duration - END_SECONDS) sessionStorage.removeItem(positionKey(interviewId));
  else sessionStorage.setItem(positionKey(interviewId), String(Math.floor(currentTime)));
}

/** In seconds. 0 for an interview that this tab has not played, or has played to its end. */
export const lastPosition = (interviewId: string): number => Number(sessionStorage.getItem(positionKey(interviewId)));
