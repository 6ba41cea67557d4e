import type { FaultOf } from './fault.ts';

/** Returns the ids and the text of the items at these places of an endless list. */
export function endlessItems(
  { repeats, textBytes }: FaultOf<'endless'>,
  { offset, limit }: { offset: number; limit: number },
): { id: string; text: string }[] {
  const from = repeats === 0 ? offset : offset % (repeats * limit);
  const text = 'x'.repeat(textBytes);
  return Array.from({ length: limit }, (_, index) => ({ id: `endless_${from + index + 1}`, text }));
}
