import { createHash, type Hash } from 'node:crypto';
import { type ReadableFile, readFully } from '#server/ports/file-store.ts';
import { PART_BYTES, partBytesOf } from './upload.ts';

const BLOCK_BYTES = 2 ** 20;

/**
 * Returns the ETag of this content after an upload by this adapter: the MD5 digest, or the digest
 * of the parts' digests with the number of parts (Amazon S3 user guide, "Checking object
 * integrity"). Objects encrypted with keys of a key service have other ETags.
 */
export async function contentEtag(content: ReadableFile): Promise<string> {
  const { size } = content.file;
  const partBytes = size <= PART_BYTES ? Math.max(1, size) : partBytesOf(size);
  const buffer = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, partBytes));
  const parts: Hash[] = [];
  for (let at = 0; at < size || parts.length === 0; ) {
    const partEnd = Math.min(size, (Math.floor(at / partBytes) + 1) * partBytes);
    if (at % partBytes === 0) parts.push(createHash('md5'));
    const bytes = await content.read(buffer.subarray(0, partEnd - at), at, size);
    if (bytes === 0) break;
    parts.at(-1)?.update(buffer.subarray(0, bytes));
    at += bytes;
  }
  const digests = parts.map((part) => part.digest());
  if (size <= PART_BYTES) return digests[0]?.toString('hex') ?? '';
  return `${createHash('md5').update(Buffer.concat(digests)).digest('hex')}-${digests.length}`;
}

/** Compares byte by byte. */
export async function haveSameBytes(one: ReadableFile, other: ReadableFile): Promise<boolean> {
  const { size } = one.file;
  if (size !== other.file.size) return false;
  const [a, b] = [Buffer.allocUnsafe(BLOCK_BYTES), Buffer.allocUnsafe(BLOCK_BYTES)];
  for (let at = 0; at < size; at += BLOCK_BYTES) {
    const range = { position: at, end: size };
    const [inOne, inOther] = [a.subarray(0, size - at), b.subarray(0, size - at)];
    if (!(await readFully(one, inOne, range)) || !(await readFully(other, inOther, range))) return false;
    if (!inOne.equals(inOther)) return false;
  }
  return true;
}
