import { createHash } from 'node:crypto';
import type { ArchiveMember, ArchiveReader } from './archive-reader.ts';
import { BackupRefused } from './backup-refused.ts';
import { CHECKSUMS, Checksums, MANIFEST, Manifest } from './manifest.ts';

export interface Verified {
  manifest: Manifest;
  checksums: Checksums;
}

/** Reads the whole backup and compares every member with its checksum, before anything of it is used. @throws BackupRefused */
export async function verifyArchive(archive: ArchiveReader): Promise<Verified> {
  let manifest: Manifest | null = null;
  let checksums: Checksums | null = null;
  const found = new Map<string, Member>();
  for await (const member of archive.members()) {
    if (checksums) throw archive.damaged('what follows its end');
    if (found.size === 0) manifest = await readManifest(archive, member);
    if (member.name === CHECKSUMS) checksums = Checksums.safeParse(jsonOf(await member.text())).data ?? null;
    else found.set(member.name, { size: member.size, sha256: await digestOf(member) });
  }
  if (!manifest || !checksums) throw archive.cutOff();
  const wrong = firstDifference(checksums.members, found);
  if (wrong) throw archive.damaged(wrong);
  return { manifest, checksums };
}

type Member = Checksums['members'][string];

/** The name of a member that is not as it was written, is missing, or was not written. */
function firstDifference(expected: Record<string, Member>, found: ReadonlyMap<string, Member>): string | undefined {
  const differs = Object.entries(expected).find(([name, { size, sha256 }]) => {
    const actual = found.get(name);
    return actual?.size !== size || actual.sha256 !== sha256;
  });
  return differs?.[0] ?? [...found.keys()].find((name) => !Object.hasOwn(expected, name));
}

const Any = Manifest.pick({ format: true }).loose();

async function readManifest(archive: ArchiveReader, member: ArchiveMember): Promise<Manifest> {
  if (member.name !== MANIFEST) throw archive.foreign();
  const json = jsonOf(await member.text());
  if (!Any.safeParse(json).success) throw archive.foreign();
  const manifest = Manifest.safeParse(json).data;
  if (manifest) return manifest;
  throw new BackupRefused(
    'This backup was made by a release that writes another format. Restore it with that release.',
  );
}

async function digestOf(member: ArchiveMember): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of member.chunks()) hash.update(chunk);
  return hash.digest('hex');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
