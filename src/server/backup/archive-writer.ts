import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { WriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import type { Transformation } from './age.ts';
import { CHECKSUMS, type Checksums, SIGNATURE } from './manifest.ts';
import { sign } from './signature.ts';

/**
 * Writes a backup: a tar file, readable by its owner only, that gets its name when it is complete
 * and on disk.
 */
export class ArchiveWriter {
  readonly #path: string;
  readonly #draft: string;
  readonly #pack = pack();
  readonly #file: WriteStream;
  readonly #fileWritten: Promise<void>;
  readonly #members: Checksums['members'] = {};
  readonly #startedAt = new Date();

  private constructor(
    { path, draft }: { path: string; draft: string },
    file: WriteStream,
    encrypt: Transformation | null,
  ) {
    this.#path = path;
    this.#draft = draft;
    this.#file = file;
    const packed = this.#pack as AsyncIterable<Uint8Array>;
    this.#fileWritten = encrypt ? pipeline(packed, encrypt, file) : pipeline(packed, file);
    // `add` and `finish` report the error.
    this.#fileWritten.catch(() => {});
  }

  /** Without `encrypt`, the file is plain text. */
  static async create(path: string, encrypt: Transformation | null): Promise<ArchiveWriter> {
    const draft = `${path}.${process.pid}.part`;
    const handle = await open(draft, 'wx', 0o600);
    return new ArchiveWriter({ path, draft }, handle.createWriteStream({ flush: true }), encrypt);
  }

  get bytes(): number {
    return this.#file.bytesWritten;
  }

  /** Keeps a few chunks in memory. @throws when the chunks do not have `size` bytes */
  async add(name: string, size: number, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const hash = createHash('sha256');
    const { promise: added, resolve, reject } = Promise.withResolvers<void>();
    added.catch(() => {});
    const header = { name, size, mode: 0o600, mtime: this.#startedAt };
    const entry = this.#pack.entry(header, (error) => (error ? reject(error) : resolve()));
    entry.on('error', reject);
    for await (const chunk of chunks) {
      hash.update(chunk);
      if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), added]);
    }
    entry.end(null);
    await added;
    this.#members[name] = { size, sha256: hash.digest('hex') };
  }

  async addText(name: string, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await this.add(name, bytes.length, [bytes]);
  }

  /** Adds the signed checksums of the members, syncs the file to disk, and renames it. */
  async finish(totals: Omit<Checksums, 'members'>, encryptionKey: Buffer): Promise<void> {
    const checksums = JSON.stringify({ members: this.#members, ...totals });
    await this.addText(CHECKSUMS, checksums);
    await this.addText(SIGNATURE, sign(encryptionKey, checksums));
    this.#pack.finalize();
    await this.#fileWritten;
    await rename(this.#draft, this.#path);
    // Some systems cannot sync a folder. The content of the file is safe without that.
    const folder = await open(dirname(this.#path), 'r').catch(() => null);
    await folder?.sync().catch(() => {});
    await folder?.close();
  }

  async abandon(): Promise<void> {
    this.#pack.destroy();
    await this.#fileWritten.catch(() => {});
    await rm(this.#draft, { force: true });
  }
}
