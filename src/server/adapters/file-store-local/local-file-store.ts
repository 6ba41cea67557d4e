import { constants } from 'node:fs';
import { access, mkdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FILE_FOLDERS, type FileKind, type FileStore, FileStoreError, isFileName } from '#server/ports/file-store.ts';
import { DirectorySync } from './directory-sync.ts';
import { diskError, isMissing } from './disk-error.ts';
import { LocalPartialFile } from './local-partial-file.ts';
import { LocalReadableFile } from './local-readable-file.ts';
import { OpenFiles } from './open-files.ts';
import { storedFile } from './stored-file.ts';

/** Beside the visible folders and on the same disk, so that a commit is one rename. */
const PARTIAL_FOLDER = 'partial';

/** Left to whoever else writes to this disk, the database above all: a video can be fetched later, an edit that is lost cannot. */
const KEPT_FREE_BYTES = 64 * 2 ** 20;

/** Resolves with the free bytes of the disk. @throws FileStoreError full when no more should be used */
async function expectRoom(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  if (free >= KEPT_FREE_BYTES) return free;
  throw new FileStoreError(
    'full',
    `The disk is full, but for what is kept for the database: make room for ${directory}.`,
  );
}

/** On a read-only disk Node says of a recursive `mkdir` that a folder is missing; the folder above knows better. */
async function makeFolder(path: string, directory: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch(async (error: unknown) => {
    await access(directory, constants.W_OK);
    throw error;
  });
}

/** One name for each process: several may share a store. */
const PROBE_FILE = `.probe-${process.pid}`;
const PROBE = Buffer.alloc(4_096);

/**
 * Keeps files in `<directory>/videos` and `<directory>/thumbnails`, half written ones in `<directory>/partial`. Makes the folders when
 * the first file is written.
 */
export function localFileStore(directory: string): FileStore {
  const writing = new Set<string>();
  const openFiles = new OpenFiles();
  const folderOf = (kind: FileKind) => join(directory, FILE_FOLDERS[kind]);
  const pathOf = (kind: FileKind, name: string) => join(folderOf(kind), name);
  const partialPathOf = (kind: FileKind, name: string) => join(directory, PARTIAL_FOLDER, FILE_FOLDERS[kind], name);
  const syncs = { video: new DirectorySync(folderOf('video')), thumbnail: new DirectorySync(folderOf('thumbnail')) };

  /** Null when nothing is there; every other error in our words. */
  const unlessMissing = (error: unknown): null => {
    if (isMissing(error)) return null;
    throw diskError(error, directory);
  };

  return {
    async stat(kind, name) {
      if (!isFileName(name)) return null;
      const stats = await stat(pathOf(kind, name)).catch(unlessMissing);
      return stats?.isFile() ? storedFile(stats) : null;
    },

    async open(kind, name) {
      if (!isFileName(name)) return null;
      const open = await openFiles.hold(pathOf(kind, name)).catch(unlessMissing);
      return open && new LocalReadableFile(open, directory);
    },

    async resume(kind, name) {
      if (!isFileName(name)) throw new FileStoreError('bad_name', `"${name}" cannot be the name of a file.`);
      const path = partialPathOf(kind, name);
      const finalPath = pathOf(kind, name);
      if (writing.has(path)) throw new FileStoreError('busy', `"${name}" is already being written.`);
      writing.add(path);
      const place = {
        path,
        finalPath,
        directory,
        sync: syncs[kind],
        expectRoom: async () => void (await expectRoom(directory)),
        replaced: () => openFiles.forget(finalPath),
        done: () => void writing.delete(path),
      };
      try {
        return await LocalPartialFile.open(place).catch(async (error) => {
          if (!isMissing(error)) throw error;
          // The first file ever, or somebody removed the folders.
          await makeFolder(dirname(path), directory);
          return LocalPartialFile.open(place);
        });
      } catch (error) {
        place.done();
        throw diskError(error, directory);
      }
    },

    async probe() {
      const path = join(directory, PROBE_FILE);
      try {
        await mkdir(directory, { recursive: true });
        await writeFile(path, PROBE);
        await rm(path, { force: true });
        return { freeBytes: await expectRoom(directory) };
      } catch (error) {
        // A full disk takes the name and not the bytes.
        await rm(path, { force: true }).catch(() => {});
        throw diskError(error, directory);
      }
    },

    async remove(kind, names) {
      for (const name of names.filter(isFileName)) {
        await rm(pathOf(kind, name), { force: true }).catch(unlessMissing);
        openFiles.forget(pathOf(kind, name));
        await rm(partialPathOf(kind, name), { force: true }).catch(unlessMissing);
      }
    },
  };
}
