import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CandidateCounts, Subject } from '#server/features/candidates/candidates.service.ts';
import { whenInterrupted } from '#server/interruption.ts';
import { type FileKind, type FileStore, readChunks } from '#server/ports/file-store.ts';
import { CommandError } from './command.ts';
import type { OpenedCandidates } from './open-candidates.ts';

interface ExportInput {
  subject: Subject;
  /** Null for standard output. */
  file: string | null;
  /** Where recordings and thumbnails are copied to; null to leave them out. */
  filesFolder: string | null;
}

/** Everything it writes is readable by its owner only. */
export async function exportCandidate(
  { candidates, files }: OpenedCandidates,
  { subject, file, filesFolder }: ExportInput,
): Promise<string> {
  await demandStored(candidates, subject);
  const held = await candidates.export(subject);
  const copied: string[] = [];
  const recordings = held.interviews.flatMap((interview) => [interview, ...interview.segments]);
  for (const { video, thumbnail } of filesFolder ? recordings : []) {
    const named = [
      ['video', video.file],
      ['thumbnail', thumbnail.file],
    ] as const;
    for (const [kind, name] of named)
      if (name && (await copyFile(files, { kind, name }, filesFolder ?? ''))) copied.push(name);
  }
  const json = JSON.stringify({ ...held, ...(filesFolder && { copiedFiles: copied }) }, null, 2);
  if (file === null) return json;
  await writeAtomically(file, async (handle) => void (await handle.writeFile(`${json}\n`)));
  const counts = `${plural(held.interviews.length, 'interview')}, ${plural(held.logMentions.length, 'log mention')}`;
  const also = filesFolder ? ` and ${plural(copied.length, 'file')} to ${filesFolder}` : '';
  return `Wrote everything stored about ${describeSubject(subject)} (${counts}) to ${file}${also}.`;
}

/** @throws CommandError when nothing is stored, which an address with a typo would hide */
async function demandStored(candidates: OpenedCandidates['candidates'], subject: Subject): Promise<void> {
  if (isNothing(await candidates.count(subject))) throw new CommandError(describeNothing(subject));
}

export const isNothing = ({ interviews, deletedInterviews, logEntries, files, videos, atsNotes }: CandidateCounts) =>
  interviews + deletedInterviews + logEntries + files + videos.length + atsNotes === 0;

export const describeNothing = (subject: Subject): string =>
  `Nothing is stored about ${describeSubject(subject)}. Check the spelling, or look with npm run candidate -- find.`;

export const describeSubject = ({ emails, interviewIds }: Subject): string =>
  [...emails, ...interviewIds.map((id) => `interview ${id}`)].join(', ');

export const plural = (n: number, one: string, more = `${one}s`) => `${n} ${n === 1 ? one : more}`;

/** Returns false when the store does not have the file. */
async function copyFile(
  store: FileStore,
  { kind, name }: { kind: FileKind; name: string },
  folder: string,
): Promise<boolean> {
  const source = await store.open(kind, name);
  if (!source) return false;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeAtomically(join(folder, name), async (target) => {
      for await (const chunk of readChunks(source)) await target.writeFile(chunk);
    });
    return true;
  } finally {
    await source.close();
  }
}

type Handle = Awaited<ReturnType<typeof open>>;

/** The file gets its name when it is complete. */
async function writeAtomically(path: string, write: (handle: Handle) => Promise<void>): Promise<void> {
  const draft = `${path}.${process.pid}.part`;
  const handle = await open(draft, 'w', 0o600);
  using _settled = whenInterrupted(() => rm(draft, { force: true }));
  try {
    await write(handle);
    await handle.sync();
    await handle.close();
    await rename(draft, path);
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
}
