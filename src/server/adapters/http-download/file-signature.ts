import type { FileKind } from '#server/ports/file-store.ts';

/** Compares Latin letters at a position. */
const hasText = (bytes: Uint8Array, at: number, text: string) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', at, at + text.length) === text;

/**
 * Signatures: mp4 and mov by their first box (ISO/IEC 14496-12), webm and mkv by EBML (RFC 8794),
 * images by their own.
 */
const SIGNATURES: Record<FileKind, (bytes: Uint8Array) => boolean> = {
  video: (bytes) =>
    ['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot'].some((box) => hasText(bytes, 4, box)) ||
    hasText(bytes, 0, '\x1a\x45\xdf\xa3'),
  thumbnail: (bytes) =>
    hasText(bytes, 0, '\xff\xd8\xff') ||
    hasText(bytes, 0, '\x89PNG') ||
    hasText(bytes, 0, 'GIF8') ||
    (hasText(bytes, 0, 'RIFF') && hasText(bytes, 8, 'WEBP')) ||
    hasText(bytes, 4, 'ftypavif'),
};

/** The number of bytes needed to decide. */
export const SIGNATURE_BYTES: Record<FileKind, number> = { video: 8, thumbnail: 12 };

export const hasSignature = (kind: FileKind, bytes: Uint8Array): boolean => SIGNATURES[kind](bytes);
