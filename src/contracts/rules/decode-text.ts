/**
 * Decodes a text file that a spreadsheet or an editor has saved: UTF-8 and UTF-16 by their mark,
 * else UTF-8 where it is valid, else Windows-1252.
 */
export function decodeText(bytes: Uint8Array): string {
  const mark = MARKS.find(([, ...start]) => start.every((byte, index) => bytes[index] === byte));
  if (mark) return new TextDecoder(mark[0]).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const MARKS: [encoding: string, ...start: number[]][] = [
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
];
