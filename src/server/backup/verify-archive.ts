import { createHash } from 'node:crypto';
import type { ArchiveReader } from './archive-reader.ts';
import { BackupError, CHECKSUMS, Checksums, MANIFEST, Manifest } from './manifest.ts';

export interface VerifiedArchive {
  manifest: Manifest;
  checksums: Checksums;
}

/** Reads the whole backup and compares every member with its checksum. @throws BackupError */
export async function verifyArchive(archive: ArchiveReader): Promise<VerifiedArchive> {
  let manifest: Manifest | null = null;
  let checksums: Checksums | null = null;
  const found = new Map<string, Member>();
  for await (const member of archive.members()) {
    if (checksums) throw archive.damaged('data after its end');
    if (found.size === 0) {
      const text = await member.text();
      manifest = parseManifest(archive, member.name, text);
      found.set(member.name, await digestOf([Buffer.from(text)]));
    } else if (member.name === CHECKSUMS) checksums = Checksums.safeParse(parseJson(await member.text())).data ?? null;
    else found.set(member.name, await digestOf(member.chunks()));
  }
  if (!manifest || !checksums) throw archive.truncated();
  const wrong = firstDifference(checksums.members, found);
  if (wrong) throw archive.damaged(wrong);
  return { manifest, checksums };
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

function parseManifest(archive: ArchiveReader, name: string, text: string): Manifest {
  const json = name === MANIFEST ? parseJson(text) : null;
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
