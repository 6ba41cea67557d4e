import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CHECKSUMS, type Checksums } from './manifest.ts';
import { BLOCK_BYTES, encodeHeader, paddingOf } from './tar/tar-header.ts';

/** What `finish` writes besides the checksums of the members. */
type Totals = Omit<Checksums, 'members'>;

/** Writes a backup: a tar file that gets its name when it is whole and on the disk, readable by its owner only. */
export class ArchiveWriter {
  readonly #path: string;
  readonly #draft: string;
  readonly #handle: FileHandle;
  readonly #members: Checksums['members'] = {};
  readonly #startedAt = new Date();
  #bytes = 0;

  private constructor(path: string, draft: string, handle: FileHandle) {
    this.#path = path;
    this.#draft = draft;
    this.#handle = handle;
  }

  static async create(path: string): Promise<ArchiveWriter> {
    const draft = `${path}.${process.pid}.part`;
    return new ArchiveWriter(path, draft, await open(draft, 'wx', 0o600));
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Bounded memory: one chunk at a time. @throws Error when the chunks are not as many bytes as `size` says */
  async add(name: string, size: number, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const hash = createHash('sha256');
    let written = 0;
    await this.#write(encodeHeader({ name, size }, this.#startedAt));
    for await (const chunk of chunks) {
      hash.update(chunk);
      written += chunk.length;
      await this.#write(chunk);
    }
    if (written !== size) throw new Error(`${name} has ${written} bytes instead of ${size}`);
    await this.#write(Buffer.alloc(paddingOf(size)));
    this.#members[name] = { size, sha256: hash.digest('hex') };
  }

  async addText(name: string, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await this.add(name, bytes.length, [bytes]);
  }

  /** The end of the file, its name, and all of it on the disk. */
  async finish(totals: Totals): Promise<void> {
    await this.addText(CHECKSUMS, JSON.stringify({ members: this.#members, ...totals }));
    await this.#write(Buffer.alloc(BLOCK_BYTES * 2));
    await this.#handle.sync();
    await this.#handle.close();
    await rename(this.#draft, this.#path);
    // Not on every system can a folder be synced; the file itself is safe.
    const folder = await open(dirname(this.#path), 'r').catch(() => null);
    await folder?.sync().catch(() => {});
    await folder?.close();
  }

  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => {});
    await rm(this.#draft, { force: true });
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, from);
      from += bytesWritten;
    }
    this.#bytes += bytes.length;
  }
}
