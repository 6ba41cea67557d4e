/** Separators of paths, what Windows does not allow, and characters that are not shown. */
const UNSAFE = /[\\/:*?"<>|\p{C}]+/gu;
const MAX_NAME_CHARACTERS = 150;

/**
 * The `Content-Disposition` of a download (RFC 6266). Browsers save it as `name`; its extension
 * starts at the last dot.
 */
export function attachment(name: string): string {
  const end = name.slice(name.lastIndexOf('.'));
  const start = name.slice(0, -end.length).toWellFormed().replaceAll(UNSAFE, ' ').replaceAll(/\s+/gu, ' ');
  const safe = `${
    [...start]
      .slice(0, MAX_NAME_CHARACTERS)
      .join('')
      .replace(/^[ .]+/, '')
      .trimEnd() || 'export'
  }${end}`;
  const ascii = safe
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]/g, '_');
  // RFC 8187 allows fewer characters than encodeURIComponent leaves.
  const encoded = encodeURIComponent(safe).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
