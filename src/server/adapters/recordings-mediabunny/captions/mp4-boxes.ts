import type { ByteWindow } from './byte-window.ts';

/** A box in memory: its type and what is in it (ISO/IEC 14496-12, section 4.2). */
export interface Box {
  type: string;
  content: DataView;
}

const HEADER_BYTES = 8;
const LARGE_HEADER_BYTES = 16;
/** Larger than that of any recording; a damaged one may claim anything. */
const LARGEST_BOX = 32 * 2 ** 20;

/** The boxes inside `content`, in order, up to the first that cannot be one. */
export function* boxesIn(content: DataView): Generator<Box> {
  for (let at = 0; at + HEADER_BYTES <= content.byteLength; ) {
    const header = readHeader(content, at, content.byteLength);
    if (!header) return;
    yield { type: header.type, content: part(content, at + header.bytes, header.size - header.bytes) };
    at += header.size;
  }
}

export function boxIn(content: DataView, ...path: string[]): DataView | null {
  let found: DataView | null = content;
  for (const type of path) found = (found && boxesIn(found).find((box) => box.type === type)?.content) ?? null;
  return found;
}

/** The content of the first box of this type at the top of the file; the boxes before it are passed over unread. */
export async function topBox(bytes: ByteWindow, type: string): Promise<DataView | null> {
  for (let at = 0; at + HEADER_BYTES <= bytes.size; ) {
    const header = readHeader(await bytes.view(at, Math.min(LARGE_HEADER_BYTES, bytes.size - at)), 0, bytes.size - at);
    if (!header) return null;
    if (header.type === type)
      return header.size > LARGEST_BOX ? null : bytes.view(at + header.bytes, header.size - header.bytes);
    at += header.size;
  }
  return null;
}

/** The header at `at`; null for one that does not fit into `room`, counted from the beginning of `view`. */
function readHeader(view: DataView, at: number, room: number): { type: string; bytes: number; size: number } | null {
  const short = view.getUint32(at);
  const type = fourCharacters(view, at + 4);
  const isLarge = short === 1;
  if (isLarge && at + LARGE_HEADER_BYTES > view.byteLength) return null;
  const bytes = isLarge ? LARGE_HEADER_BYTES : HEADER_BYTES;
  // A size of 0 means: up to the end.
  const size = isLarge ? Number(view.getBigUint64(at + HEADER_BYTES)) : short || room - at;
  return size < bytes || at + size > room ? null : { type, bytes, size };
}

export const fourCharacters = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

export const part = (view: DataView, at: number, length: number): DataView =>
  new DataView(view.buffer, view.byteOffset + at, length);
