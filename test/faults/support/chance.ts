import { seededRandom } from '#sandbox/random.ts';

/** Names every random moment of a run: printed at its start, and given again with `--seed` to repeat it. */
export const SEED = Number(process.env.FAULT_SEED ?? 1);

/** Numbers from 0 to 1 that are the same for the same seed and name. */
export function chance(name: string): () => number {
  let mixed = SEED >>> 0;
  for (const letter of name) mixed = Math.imul(mixed ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return seededRandom(mixed);
}
