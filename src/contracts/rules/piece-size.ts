const MEGABYTE = 2 ** 20;
/** Arrives within 30 s, the limit of each request, at 2.3 Mbit/s. */
export const MIN_PIECE_BYTES = 8 * MEGABYTE;
export const MAX_PIECE_BYTES = 64 * MEGABYTE;
const SECONDS_PER_PIECE = 8;

/**
 * The size of the next piece of an upload, after one of `bytes` took `seconds`. Each piece costs a
 * round trip, so fast connections send larger ones.
 */
export function nextPieceBytes({ bytes, seconds }: { bytes: number; seconds: number }): number {
  const fitting = Math.floor((bytes / seconds) * SECONDS_PER_PIECE);
  return Math.max(MIN_PIECE_BYTES, Math.min(2 * bytes, fitting, MAX_PIECE_BYTES));
}
