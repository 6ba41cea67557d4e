const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** A number of bytes as people read it: `1.4 GB`. */
export function inBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${power === 0 ? bytes : (bytes / 1_000 ** power).toFixed(1)} ${UNITS[power]}`;
}
