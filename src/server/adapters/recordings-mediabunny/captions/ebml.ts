import type { ByteWindow } from './byte-window.ts';

/** Where an element's content lies, in a file or in memory. `end` is null when the file does not say, as in live recordings. */
export interface Element {
  id: number;
  start: number;
  end: number | null;
}

/** An id has at most 4 bytes and a size 8 (RFC 8794, sections 5 and 6). */
const LONGEST_HEADER = 12;
const LARGEST_LOADED = 16 * 2 ** 20;

/** The elements of a file from `start` to before `end`; passing over one costs no read of its content. */
export async function* elementsIn(bytes: ByteWindow, start: number, end: number): AsyncGenerator<Element> {
  for (let at = start; at < end; ) {
    const element = readHeader(await bytes.view(at, Math.min(LONGEST_HEADER, bytes.size - at)), 0);
    if (!element) return;
    const found = { id: element.id, start: at + element.start, end: element.end === null ? null : at + element.end };
    yield found;
    // One without an end is entered, not passed over: its children follow as if they were its siblings.
    at = found.end ?? found.start;
  }
}

/** The elements of content in memory, in order, up to the first that cannot be one. */
export function* elementsOf(content: DataView): Generator<{ id: number; content: DataView }> {
  for (let at = 0; at < content.byteLength; ) {
    const element = readHeader(content, at);
    if (!element || element.end === null || element.end > content.byteLength) return;
    yield {
      id: element.id,
      content: new DataView(content.buffer, content.byteOffset + element.start, element.end - element.start),
    };
    at = element.end;
  }
}

export const childOf = (content: DataView, id: number): DataView | null =>
  elementsOf(content).find((element) => element.id === id)?.content ?? null;

/** The whole content of an element; null when it has no end or is larger than anything we look into. */
export async function load(bytes: ByteWindow, { start, end }: Element): Promise<DataView | null> {
  if (end === null || end > bytes.size || end - start > LARGEST_LOADED) return null;
  return bytes.view(start, end - start);
}

/** A number without a sign, of up to 8 bytes. */
export function unsigned(content: DataView | null): number | null {
  if (!content || content.byteLength > 8) return null;
  let value = 0;
  for (let at = 0; at < content.byteLength; at += 1) value = value * 256 + content.getUint8(at);
  return value;
}

export const text = (content: DataView | null): string => (content ? new TextDecoder().decode(content) : '');

/** A number whose first set bit says how many bytes it has; `value` is null when it means "unknown". */
export function variableNumber(view: DataView, at: number): { value: number | null; length: number } | null {
  if (at >= view.byteLength) return null;
  const length = Math.clz32(view.getUint8(at)) - 23;
  if (length > 8 || at + length > view.byteLength) return null;
  let value = view.getUint8(at) & (2 ** (8 - length) - 1);
  let isUnknown = value === 2 ** (8 - length) - 1;
  for (let next = 1; next < length; next += 1) {
    isUnknown &&= view.getUint8(at + next) === 0xff;
    value = value * 256 + view.getUint8(at + next);
  }
  return { value: isUnknown ? null : value, length };
}

function readHeader(view: DataView, at: number): Element | null {
  const idLength = at < view.byteLength ? Math.clz32(view.getUint8(at)) - 23 : 9;
  if (idLength > 4 || at + idLength > view.byteLength) return null;
  let id = 0;
  for (let next = 0; next < idLength; next += 1) id = id * 256 + view.getUint8(at + next);
  const size = variableNumber(view, at + idLength);
  if (!size) return null;
  const start = at + idLength + size.length;
  return { id, start, end: size.value === null ? null : start + size.value };
}
