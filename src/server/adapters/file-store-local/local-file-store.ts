import { constants } from 'node:fs';
import { access, mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { coalesce } from '#server/async/single-flight.ts';
import { FILE_FOLDERS, type FileKind, type FileStore, FileStoreError, isFileName } from '#server/ports/file-store.ts';
import { diskError, isMissing } from './disk-error.ts';
import { expectRoom, probeDisk } from './disk-room.ts';
import { badName, LocalPartialFile, type PartialPlace } from './local-partial-file.ts';
import { LocalReadableFile } from './local-readable-file.ts';
import { storedFile } from './open-file.ts';
import { OpenFiles } from './open-files.ts';

/** Next to the visible folders on the same disk, so a commit is one rename. */
const PARTIAL_FOLDER = 'partial';

/**
 * On a read-only disk Node's recursive `mkdir` reports a missing folder. The parent folder has the
 * right error.
 */
async function makeFolder(path: string, directory: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch(async (error: unknown) => {
    await access(directory, constants.W_OK);
    throw error;
  });
}

/** Opens the partial file. Creates its folder for the first file or after it was deleted. */
async function openPartial(place: PartialPlace): Promise<LocalPartialFile> {
  return await LocalPartialFile.open(place).catch(async (error) => {
    if (!isMissing(error)) throw error;
    await makeFolder(dirname(place.path), place.directory);
    return LocalPartialFile.open(place);
  });
}

/**
 * Stores files in `<directory>/videos` and `<directory>/thumbnails`, partial files in
 * `<directory>/partial`. Creates the folders with the first file.
 */
export function localFileStore(directory: string): FileStore {
  const writing = new Set<string>();
  const openFiles = new OpenFiles();
  const folderOf = (kind: FileKind) => join(directory, FILE_FOLDERS[kind]);
  const pathOf = (kind: FileKind, name: string) => join(folderOf(kind), name);
  const partialPathOf = (kind: FileKind, name: string) => join(directory, PARTIAL_FOLDER, FILE_FOLDERS[kind], name);
  // A hundred files that are committed together cost a few syncs.
  const syncFolder = {
    video: coalesce(() => syncDirectory(folderOf('video'))),
    thumbnail: coalesce(() => syncDirectory(folderOf('thumbnail'))),
  };

  /** Returns null for a missing file and throws every other error as FileStoreError. */
  const nullIfMissing = (error: unknown): null => {
    if (isMissing(error)) return null;
    throw diskError(error, directory);
  };

  return {
    async stat(kind, name) {
      if (!isFileName(name)) return null;
      const stats = await stat(pathOf(kind, name)).catch(nullIfMissing);
      return stats?.isFile() ? storedFile(stats) : null;
    },

    async open(kind, name) {
      if (!isFileName(name)) return null;
      const open = await openFiles.acquire(pathOf(kind, name)).catch(nullIfMissing);
      return open && new LocalReadableFile(open, directory);
    },

    async resume(kind, name) {
      if (!isFileName(name)) throw badName(name);
      const path = partialPathOf(kind, name);
      const finalPath = pathOf(kind, name);
      if (writing.has(path)) throw new FileStoreError('busy', `"${name}" is already being written.`);
      writing.add(path);
      const place = {
        path,
        finalPath,
        directory,
        syncFolder: syncFolder[kind],
        expectRoom: async () => void (await expectRoom(directory)),
        onReplaced: (replaced: string) => openFiles.evict(replaced),
        onClosed: () => void writing.delete(path),
      };
      try {
        return await openPartial(place);
      } catch (error) {
        place.onClosed();
        throw diskError(error, directory);
      }
    },

    probe: async () => ({ freeBytes: await probeDisk(directory) }),

    async remove(kind, names) {
      for (const name of names.filter(isFileName)) {
        await rm(pathOf(kind, name), { force: true }).catch(nullIfMissing);
        openFiles.evict(pathOf(kind, name));
        await rm(partialPathOf(kind, name), { force: true }).catch(nullIfMissing);
      }
    },
  };
}

/**
 * Makes renames inside a folder durable (fsync(2): the directory entry needs its own call).
 * Resolves when every rename before the call is on the disk.
 */
async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open a folder; its file systems journal names themselves.
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
