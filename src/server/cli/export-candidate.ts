import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readChunks } from '../backup/read-chunks.ts';
import { whenInterrupted } from '../interruption.ts';
import type { FileKind, FileStore } from '../ports/file-store.ts';
import type { CandidateRequest } from './candidate-request.ts';
import type { OpenedCandidates } from './candidates-of.ts';

/** Writes what is held, readable by its owner only, and copies the files. */
export async function exportCandidate(
  { candidates, files }: OpenedCandidates,
  { email, file, filesFolder }: CandidateRequest,
): Promise<string> {
  const held = await candidates.export(email);
  const copied: string[] = [];
  for (const { video, thumbnail } of filesFolder ? held.interviews : []) {
    const named = [
      ['video', video.file],
      ['thumbnail', thumbnail.file],
    ] as const;
    for (const [kind, name] of named)
      if (name && (await copyFile(files, { kind, name }, filesFolder ?? ''))) copied.push(name);
  }
  const json = JSON.stringify({ ...held, ...(filesFolder && { copiedFiles: copied }) }, null, 2);
  if (file === null) return json;
  await writeWhole(file, async (handle) => void (await handle.writeFile(`${json}\n`)));
  const also = filesFolder ? `, and ${copied.length} files into ${filesFolder}` : '';
  return `Wrote what is held of ${held.email} (${held.interviews.length} interviews, ${held.logMentions.length} log mentions) to ${file}${also}.`;
}

/** False when the store does not have it. */
async function copyFile(
  store: FileStore,
  { kind, name }: { kind: FileKind; name: string },
  folder: string,
): Promise<boolean> {
  const source = await store.open(kind, name);
  if (!source) return false;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeWhole(join(folder, name), async (target) => {
      for await (const chunk of readChunks(source)) await target.writeFile(chunk);
    });
    return true;
  } finally {
    await source.close();
  }
}

type Handle = Awaited<ReturnType<typeof open>>;

/** Nobody finds half a file under the name. */
async function writeWhole(path: string, write: (handle: Handle) => Promise<void>): Promise<void> {
  const draft = `${path}.${process.pid}.part`;
  const handle = await open(draft, 'w', 0o600);
  const settled = whenInterrupted(() => rm(draft, { force: true }));
  try {
    await write(handle);
    await handle.sync();
    await handle.close();
    await rename(draft, path);
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  } finally {
    settled();
  }
}
