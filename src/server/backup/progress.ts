const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** For example `1.4 GB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${power === 0 ? bytes : (bytes / 1_000 ** power).toFixed(1)} ${UNITS[power]}`;
}

/** For example ` (42 %)`; nothing without an estimate. One that is too low shows 99 %. */
export const shareOf = (done: number, expected: number): string =>
  expected > 0 ? ` (${Math.min(99, Math.floor((100 * done) / expected))} %)` : '';
