import { createHash } from 'node:crypto';
import { extensionOf } from '#server/adapters/http-download/file-signature.ts';
import { type FileIntake, SIGNATURE_BYTES } from '#server/ports/file-intake.ts';
import type { FileScanner } from '#server/ports/file-scanner.ts';
import type { FileKind, PartialFile } from '#server/ports/file-store.ts';

const READ_BYTES = 1024 * 1024;

const REFUSALS: Record<FileKind, string> = {
  video: "This file isn't a recording in a supported format. Choose an mp4, mov, webm, m4a or mp3 file.",
  thumbnail: "The thumbnail isn't a supported image.",
};

type CheckedFile = Pick<PartialFile, 'read' | 'size'>;

/** Checks signatures, scans for viruses when a scanner is configured, and computes checksums. */
export function fileIntake({ scanner }: { scanner: FileScanner | null }): FileIntake {
  return {
    refusalOf: (kind, start) => (incomingExtension(kind, start) ? null : REFUSALS[kind]),

    async check(kind, file, signal) {
      const start = new Uint8Array(SIGNATURE_BYTES);
      await file.read(start, 0);
      const extension = incomingExtension(kind, start);
      if (!extension) return { status: 'refused', reason: REFUSALS[kind] };
      const inSequence = { read: (buffer: Uint8Array, at: number) => file.read(buffer, at, file.size) };
      const verdict = await scanner?.scan(inSequence, signal);
      if (verdict?.status === 'infected') {
        const { virus } = verdict;
        return { status: 'infected', virus, reason: `Virus found (${virus}). The file was deleted.` };
      }
      return { status: 'clean', extension, sha256: await checksum(file, signal) };
    },
  };
}

const incomingExtension = (kind: FileKind, start: Uint8Array): string | null =>
  (kind === 'video' && soundExtension(start)) || extensionOf(kind, start);

/** ID3v2 tags, or a frame of MPEG audio layer III (ISO/IEC 11172-3, 2.4.2.3). */
function soundExtension(start: Uint8Array): string | null {
  const letters = Buffer.from(start).toString('latin1');
  if (/^....ftypM4[AB] /s.test(letters)) return 'm4a';
  const [first = 0, second = 0] = start;
  const isFrame = first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) === 0x02;
  return letters.startsWith('ID3') || isFrame ? 'mp3' : null;
}

async function checksum(file: CheckedFile, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const buffer = new Uint8Array(Math.min(READ_BYTES, file.size));
  for (let position = 0; position < file.size; ) {
    signal.throwIfAborted();
    const bytes = await file.read(buffer, position, file.size);
    if (bytes === 0) break;
    hash.update(buffer.subarray(0, bytes));
    position += bytes;
  }
  return hash.digest('hex');
}
