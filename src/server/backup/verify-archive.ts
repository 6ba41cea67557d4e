import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { parseJson } from '#contracts/rules/parse-json.ts';
import { keyId } from '#server/secrets/sealer.ts';
import type { ArchiveMember, ArchiveReader } from './archive-reader.ts';
import { BackupError, CHECKSUMS, Checksums, MANIFEST, Manifest, SIGNATURE } from './manifest.ts';
import { isSignedWith } from './signature.ts';

export interface VerifiedArchive {
  manifest: Manifest;
  checksums: Checksums;
  /** The signed text. */
  checksumsText: string;
  /** Null for backups of earlier releases. */
  signature: string | null;
}

/**
 * Reads the whole backup and compares every member with its checksum. That detects damage; call
 * `demandAuthentic` as well to detect changes on purpose.
 * @throws BackupError
 */
export async function verifyArchive(
  archive: ArchiveReader,
  onProgress: (text: string) => void = () => {},
): Promise<VerifiedArchive> {
  const { texts, digests } = await readMembers(archive, onProgress);
  const manifest = parseManifest(archive, texts.get(MANIFEST) ?? '');
  const checksumsText = texts.get(CHECKSUMS);
  const signature = texts.get(SIGNATURE) ?? null;
  if (checksumsText === undefined || (signature === null && manifest.formatVersion > 1)) throw archive.truncated();
  const checksums = Checksums.safeParse(parseJson(checksumsText)).data;
  if (!checksums) throw archive.damaged(CHECKSUMS);
  const wrong = firstDifference(checksums.members, digests);
  if (wrong) throw archive.damaged(wrong);
  return { manifest, checksums, checksumsText, signature };
}

async function readMembers(archive: ArchiveReader, onProgress: (text: string) => void) {
  const texts = new Map<string, string>();
  const digests = new Map<string, Member>();
  for await (const member of archive.members()) {
    const { name } = member;
    onProgress(`Verifying${archive.progress}`);
    if (digests.has(name) || texts.has(name)) throw archive.damaged('its list of members');
    const text = TEXTS.includes(name) ? await member.text() : null;
    if (text !== null) texts.set(name, text);
    if (!UNLISTED.includes(name))
      digests.set(name, await digestOf(text === null ? member.chunks() : [Buffer.from(text)]));
  }
  return { texts, digests };
}

/** The members that the checksums do not list. */
const UNLISTED = [CHECKSUMS, SIGNATURE];
const TEXTS = [MANIFEST, ...UNLISTED];

interface AuthenticityOptions {
  /** The encryption keys of this installation. */
  keys: readonly Buffer[];
  /**
   * The keys that the backup contains. They detect damage but authenticate nothing: anyone who
   * changes the backup can replace them as well.
   */
  ownKeys: readonly Buffer[];
  /**
   * Accepts backups that no key of this installation authenticates, but never a wrong signature.
   */
  allowUnsigned: boolean;
}

/** @throws BackupError when the backup was modified, or cannot be authenticated */
export function demandAuthentic(
  archive: ArchiveReader,
  { manifest, checksumsText, signature }: VerifiedArchive,
  { keys, ownKeys, allowUnsigned }: AuthenticityOptions,
): void {
  const signs = (key: Buffer) => signature !== null && isSignedWith(key, checksumsText, signature);
  if (keys.some(signs)) return;
  const [signer = 'unknown'] = manifest.keyIds;
  const isSigner = (key: Buffer) => keyId(key).toString('hex') === signer;
  const hasOwnKey = ownKeys.some(signs);
  if (signature !== null && (keys.some(isSigner) || (ownKeys.some(isSigner) && !hasOwnKey))) throw archive.modified();
  if (allowUnsigned) return;
  throw hasOwnKey ? archive.selfSigned(signer) : archive.unsigned(signature === null ? null : signer);
}

/**
 * The members of a verified backup, for reading them: the file could have been replaced in the
 * meantime, so what is read is compared again.
 */
export async function* verifiedMembers(
  archive: ArchiveReader,
  { checksums }: VerifiedArchive,
): AsyncGenerator<ArchiveMember> {
  const expected = new Map(Object.entries(checksums.members));
  for await (const member of archive.members()) {
    const { name, size } = member;
    if (UNLISTED.includes(name)) continue;
    const known = expected.get(name);
    expected.delete(name);
    const chunks = async function* compared() {
      const hash = createHash('sha256');
      for await (const chunk of member.chunks()) {
        hash.update(chunk);
        yield chunk;
      }
      if (hash.digest('hex') !== known?.sha256) throw archive.modified();
    };
    yield { name, size, chunks, text: () => text(chunks()) };
  }
  if (expected.size > 0) throw archive.modified();
}

type Member = Checksums['members'][string];

/** Returns the name of a member that is changed, missing or unexpected. */
function firstDifference(expected: Record<string, Member>, found: ReadonlyMap<string, Member>): string | undefined {
  const differs = Object.entries(expected).find(([name, { size, sha256 }]) => {
    const actual = found.get(name);
    return actual?.size !== size || actual.sha256 !== sha256;
  });
  return differs?.[0] ?? [...found.keys()].find((name) => !Object.hasOwn(expected, name));
}

const AnyManifest = Manifest.pick({ format: true }).loose();

function parseManifest(archive: ArchiveReader, text: string): Manifest {
  const json = parseJson(text);
  if (!AnyManifest.safeParse(json).success) throw archive.foreign();
  const manifest = Manifest.safeParse(json).data;
  if (manifest) return manifest;
  throw new BackupError('This backup has the format of another release. Restore it with that release.');
}

async function digestOf(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<Member> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}
