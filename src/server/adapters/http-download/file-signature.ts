import { SIGNATURE_BYTES } from '#server/ports/file-intake.ts';
import type { FileKind } from '#server/ports/file-store.ts';

/** The number of bytes needed to decide the kind. */
export const KIND_BYTES: Record<FileKind, number> = { video: 8, thumbnail: 12 };

/** Extensions of stored files, by the signature of their content. */
export const EXTENSIONS: Record<FileKind, readonly string[]> = {
  video: ['mp4', 'mov', 'webm'],
  thumbnail: ['jpg', 'png', 'gif', 'webp', 'avif'],
};

/** Boxes that an mp4 or mov may begin with (ISO/IEC 14496-12). */
const FIRST_BOXES = ['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot'];

/** The extension that matches the first bytes of a file; null for content of another kind. */
export function extensionOf(kind: FileKind, bytes: Uint8Array): string | null {
  const letters = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', 0, SIGNATURE_BYTES);
  return kind === 'video' ? videoExtension(letters) : imageExtension(letters);
}

function videoExtension(letters: string): string | null {
  // EBML (RFC 8794): webm and mkv.
  if (letters.startsWith('\x1a\x45\xdf\xa3')) return 'webm';
  if (!FIRST_BOXES.includes(letters.slice(4, 8))) return null;
  return letters.slice(4, 12) === 'ftypqt  ' ? 'mov' : 'mp4';
}

function imageExtension(letters: string): string | null {
  if (letters.startsWith('\xff\xd8\xff')) return 'jpg';
  if (letters.startsWith('\x89PNG')) return 'png';
  if (letters.startsWith('GIF8')) return 'gif';
  if (letters.startsWith('RIFF') && letters.slice(8) === 'WEBP') return 'webp';
  return letters.slice(4) === 'ftypavif' ? 'avif' : null;
}
