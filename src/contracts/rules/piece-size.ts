const MEGABYTE = 2 ** 20;
/** Like every request, a piece has to arrive within 30 s: at 2.3 Mbit/s or more. */
export const MIN_PIECE_BYTES = 8 * MEGABYTE;
export const MAX_PIECE_BYTES = 64 * MEGABYTE;
const SECONDS_PER_PIECE = 8;

/**
 * Returns the size of the piece after one that had `bytes` and took `seconds`. Each piece costs a
 * round trip, so fast connections send larger ones.
 */
export function nextPieceBytes({ bytes, seconds }: { bytes: number; seconds: number }): number {
  const fitting = Math.floor((bytes / seconds) * SECONDS_PER_PIECE);
  return Math.max(MIN_PIECE_BYTES, Math.min(2 * bytes, fitting, MAX_PIECE_BYTES));
}
