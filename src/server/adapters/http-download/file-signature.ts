import type { FileKind } from '#server/ports/file-store.ts';

/** Whether a text of Latin letters stands at a place. */
const says = (bytes: Uint8Array, at: number, text: string) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', at, at + text.length) === text;

/** How files of a kind begin: mp4 and mov by their first box (ISO/IEC 14496-12), webm and mkv by EBML's (RFC 8794), pictures by their own. */
const BEGINNINGS: Record<FileKind, (bytes: Uint8Array) => boolean> = {
  video: (bytes) =>
    ['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot'].some((box) => says(bytes, 4, box)) ||
    says(bytes, 0, '\x1a\x45\xdf\xa3'),
  thumbnail: (bytes) =>
    says(bytes, 0, '\xff\xd8\xff') ||
    says(bytes, 0, '\x89PNG') ||
    says(bytes, 0, 'GIF8') ||
    (says(bytes, 0, 'RIFF') && says(bytes, 8, 'WEBP')) ||
    says(bytes, 4, 'ftypavif'),
};

/** Fewer do not tell. */
export const SIGNATURE_BYTES: Record<FileKind, number> = { video: 8, thumbnail: 12 };

/** True when the first bytes of a file are those of its kind. */
export const beginsLike = (kind: FileKind, bytes: Uint8Array): boolean => BEGINNINGS[kind](bytes);
