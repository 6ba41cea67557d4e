import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { coalesce } from '#server/async/single-flight.ts';
import {
  ABANDONED_AFTER_MS,
  FILE_FOLDERS,
  type FileKind,
  type FileStore,
  isFileName,
  type StoredFile,
} from '#server/ports/file-store.ts';
import { diskError, isMissing } from './disk-error.ts';
import { probeDisk, roomForUploads } from './disk-room.ts';
import { expectSharedName } from './local-partial-file.ts';
import { LocalReadableFile } from './local-readable-file.ts';
import { storedFile } from './open-file.ts';
import { OpenFiles } from './open-files.ts';
import { PartialFiles } from './partial-files.ts';

/** Next to the visible folders on the same disk, so a commit is one rename. */
const PARTIAL_FOLDER = 'partial';

interface LocalFolders {
  directory: string;
  pathOf(kind: FileKind, name: string): string;
  openFiles: OpenFiles;
  partialFiles: PartialFiles;
  /** Returns null for a missing file and throws every other error as FileStoreError. */
  nullIfMissing(error: unknown): null;
}

/**
 * Stores files in `<directory>/videos` and `<directory>/thumbnails`, partial files in
 * `<directory>/partial`. Creates the folders with the first file.
 */
export function localFileStore(directory: string): FileStore {
  const openFiles = new OpenFiles();
  const folderOf = (kind: FileKind) => join(directory, FILE_FOLDERS[kind]);
  const pathOf = (kind: FileKind, name: string) => join(folderOf(kind), name);
  // A hundred files that are committed together cost a few syncs.
  const syncFolder = {
    video: coalesce(() => syncDirectory(folderOf('video'))),
    thumbnail: coalesce(() => syncDirectory(folderOf('thumbnail'))),
  };
  const partialFiles = new PartialFiles({
    directory,
    folder: join(directory, PARTIAL_FOLDER),
    async publish({ kind, name, path }, { handle, expectNotReplaced }) {
      // The content is synced before the rename, so a visible file is complete after a power
      // failure.
      await handle.datasync();
      await expectNotReplaced();
      await renameInto(path, pathOf(kind, name));
      openFiles.evict(pathOf(kind, name));
      await syncFolder[kind]();
    },
  });
  const nullIfMissing = (error: unknown): null => {
    if (isMissing(error)) return null;
    throw diskError(error, directory);
  };
  const folders = { directory, pathOf, openFiles, partialFiles, nullIfMissing };
  return { ...readingFrom(folders), ...writingTo(folders) };
}

type Reading = Pick<FileStore, 'stat' | 'findWritten' | 'open' | 'list'>;

function readingFrom({ directory, pathOf, openFiles, nullIfMissing }: LocalFolders): Reading {
  async function findFile(kind: FileKind, name: string): Promise<StoredFile | null> {
    if (!isFileName(name)) return null;
    const stats = await stat(pathOf(kind, name)).catch(nullIfMissing);
    return stats?.isFile() ? storedFile(stats) : null;
  }

  return {
    stat: findFile,

    async findWritten(kind, names) {
      for (const name of names) {
        const file = await findFile(kind, name);
        if (file) return { ...file, name };
      }
      return null;
    },

    async open(kind, name) {
      if (!isFileName(name)) return null;
      const open = await openFiles.acquire(pathOf(kind, name)).catch(nullIfMissing);
      return open && new LocalReadableFile(open, directory);
    },

    async *list(kind) {
      const entries = await readdir(pathOf(kind, ''), { withFileTypes: true }).catch(nullIfMissing);
      for (const entry of entries ?? []) if (entry.isFile()) yield entry.name;
    },
  };
}

function writingTo({
  directory,
  pathOf,
  openFiles,
  partialFiles,
  nullIfMissing,
}: LocalFolders): Omit<FileStore, keyof Reading> {
  return {
    resume: (kind, name) => partialFiles.resume(kind, name),

    async resumeShared(kind, name) {
      expectSharedName(name);
      return partialFiles.resume(kind, name, { isUpload: true });
    },

    async uploadRoom() {
      await mkdir(directory, { recursive: true }).catch(() => {});
      return roomForUploads(directory).catch((error: unknown) => {
        throw diskError(error, directory);
      });
    },

    async probe() {
      const freeBytes = await probeDisk(directory);
      return { freeBytes, spoolFreeBytes: freeBytes };
    },

    async remove(kind, names) {
      for (const name of names.filter(isFileName)) {
        await rm(pathOf(kind, name), { force: true }).catch(nullIfMissing);
        openFiles.evict(pathOf(kind, name));
        await partialFiles.remove(kind, name);
      }
    },

    removeAbandoned: () => partialFiles.removeUnused(ABANDONED_AFTER_MS),
  };
}

async function renameInto(path: string, finalPath: string): Promise<void> {
  await rename(path, finalPath).catch(async (error) => {
    if (!isMissing(error)) throw error;
    // The folder is missing: this is the first file of its kind, or the folder was deleted.
    await mkdir(dirname(finalPath), { recursive: true });
    await rename(path, finalPath);
  });
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
