import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AppError } from '#server/app-error.ts';
import { giveToOwnerOf } from '#server/owner-of-folder.ts';
import type { Sealer } from '#server/secrets/sealer.ts';

export const erasureListPath = (dataDir: string): string => join(dataDir, 'erasures');

const CONTEXT = 'list of erasures\n';

const List = z.object({
  /** The key of the marks, in hexadecimal. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
  /** The time of the last erasure by mark, which is in hexadecimal. */
  marks: z.record(z.string().regex(/^[0-9a-f]{64}$/), z.iso.datetime()),
});

/** Every erasure of an installation as keyed hashes, and their key. */
export type Erasures = z.infer<typeof List>;

/**
 * A copy of all erasures outside the database, in `DATA_DIR/erasures`: a database that is restored
 * from a backup lacks those made after the backup. Sealed with the encryption key.
 */
export class ErasureList {
  readonly #sealer: Sealer;
  readonly #path: string;

  constructor(sealer: Sealer, dataDir: string) {
    this.#sealer = sealer;
    this.#path = erasureListPath(dataDir);
  }

  /** Null when there is none. @throws AppError conflict when it cannot be read */
  async read(): Promise<Erasures | null> {
    const sealed = await readFile(this.#path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (!sealed) return null;
    const opened = this.#sealer.open(sealed, CONTEXT);
    if (opened !== null) return List.parse(JSON.parse(opened));
    throw new AppError(
      'conflict',
      `${this.#path} cannot be read with the current ENCRYPTION_KEY. Set ENCRYPTION_KEY_PREVIOUS to the key it was written with, or move the file away.`,
    );
  }

  /** Replaces the file when the new content is on the disk. */
  async write(erasures: Erasures): Promise<void> {
    const draft = `${this.#path}.${process.pid}.part`;
    try {
      await writeFile(draft, this.#sealer.seal(JSON.stringify(erasures), CONTEXT), { mode: 0o600, flush: true });
      await giveToOwnerOf(dirname(this.#path), draft);
      await rename(draft, this.#path);
    } finally {
      await rm(draft, { force: true });
    }
  }
}
