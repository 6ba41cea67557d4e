const UNITS = ['bytes', 'KB', 'MB', 'GB'];

/** A size with at most one decimal, such as `1.4 GB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  return `${(bytes / 2 ** (10 * power)).toLocaleString('en-US', { maximumFractionDigits: 1 })} ${UNITS[power]}`;
}
