import { constants } from 'node:fs';
import { access, mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FILE_FOLDERS, type FileKind, type FileStore, FileStoreError, isFileName } from '#server/ports/file-store.ts';
import { DirectorySync } from './directory-sync.ts';
import { diskError, isMissing } from './disk-error.ts';
import { expectRoom, probeDisk } from './disk-room.ts';
import { LocalPartialFile, type PartialPlace } from './local-partial-file.ts';
import { LocalReadableFile } from './local-readable-file.ts';
import { OpenFiles } from './open-files.ts';
import { storedFile } from './stored-file.ts';

/** Beside the visible folders and on the same disk, so that a commit is one rename. */
const PARTIAL_FOLDER = 'partial';

/** On a read-only disk Node says of a recursive `mkdir` that a folder is missing; the folder above knows better. */
async function makeFolder(path: string, directory: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch(async (error: unknown) => {
    await access(directory, constants.W_OK);
    throw error;
  });
}

/** Opens the partial file, and makes its folder where the first file is written, or somebody removed it. */
async function openPartial(place: PartialPlace): Promise<LocalPartialFile> {
  return await LocalPartialFile.open(place).catch(async (error) => {
    if (!isMissing(error)) throw error;
    await makeFolder(dirname(place.path), place.directory);
    return LocalPartialFile.open(place);
  });
}

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
        return await openPartial(place);
      } catch (error) {
        place.done();
        throw diskError(error, directory);
      }
    },

    probe: async () => ({ freeBytes: await probeDisk(directory) }),

    async remove(kind, names) {
      for (const name of names.filter(isFileName)) {
        await rm(pathOf(kind, name), { force: true }).catch(unlessMissing);
        openFiles.forget(pathOf(kind, name));
        await rm(partialPathOf(kind, name), { force: true }).catch(unlessMissing);
      }
    },
  };
}
