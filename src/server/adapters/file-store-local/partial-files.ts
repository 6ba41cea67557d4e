import { constants } from 'node:fs';
import { access, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FILE_FOLDERS, type FileKind, FileStoreError, isFileName } from '#server/ports/file-store.ts';
import { diskError, isMissing } from './disk-error.ts';
import { expectRoom, expectRoomForUploads } from './disk-room.ts';
import { badName, type CompleteFile, LocalPartialFile, type PartialPlace } from './local-partial-file.ts';

export interface PartialFilesOptions {
  /** Contains a folder of partial files for each kind. */
  folder: string;
  /** Root of the store, for messages. */
  directory: string;
  /** Makes a complete file durable and visible, and removes it from `path`. */
  publish(file: { kind: FileKind; name: string; path: string }, complete: CompleteFile): Promise<void>;
}

/** Partial files on the local disk. This process has at most one writer of each. */
export class PartialFiles {
  readonly #options: PartialFilesOptions;
  readonly #writing = new Set<string>();

  constructor(options: PartialFilesOptions) {
    this.#options = options;
  }

  /** Creates the folder with the first file. @throws FileStoreError */
  async resume(kind: FileKind, name: string, { isUpload = false } = {}): Promise<LocalPartialFile> {
    if (!isFileName(name)) throw badName(name);
    const { directory, publish } = this.#options;
    const path = this.#pathOf(kind, name);
    if (this.#writing.has(path)) throw new FileStoreError('busy', `"${name}" is already being written.`);
    this.#writing.add(path);
    const place: PartialPlace = {
      path,
      name,
      directory,
      expectRoom: async () => void (await (isUpload ? expectRoomForUploads : expectRoom)(directory)),
      publish: (finalName, complete) => publish({ kind, name: finalName, path }, complete),
      onClosed: () => void this.#writing.delete(path),
    };
    try {
      return await openPartial(place);
    } catch (error) {
      place.onClosed();
      throw diskError(error, directory);
    }
  }

  /** Ignores files that do not exist. @throws FileStoreError */
  async remove(kind: FileKind, name: string): Promise<void> {
    await rm(this.#pathOf(kind, name), { force: true }).catch((error: unknown) => {
      if (!isMissing(error)) throw diskError(error, this.#options.directory);
    });
  }

  /** Removes files that were not written to for `ms`. @throws FileStoreError */
  async removeUnused(ms: number): Promise<void> {
    for (const kind of Object.keys(FILE_FOLDERS) as FileKind[]) {
      const names = await readdir(join(this.#options.folder, FILE_FOLDERS[kind])).catch(() => []);
      for (const name of names) {
        const path = this.#pathOf(kind, name);
        const stats = this.#writing.has(path) ? null : await stat(path).catch(() => null);
        if (stats && Date.now() - stats.mtimeMs >= ms) await this.remove(kind, name);
      }
    }
  }

  #pathOf(kind: FileKind, name: string): string {
    return join(this.#options.folder, FILE_FOLDERS[kind], name);
  }
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
 * On a read-only disk Node's recursive `mkdir` reports a missing folder. The parent folder has the
 * right error.
 */
async function makeFolder(path: string, directory: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch(async (error: unknown) => {
    await access(directory, constants.W_OK);
    throw error;
  });
}
