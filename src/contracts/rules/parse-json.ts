/**
 * Returns undefined when the text is not JSON. The parser's own error would quote the text, which
 * may be secret.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
