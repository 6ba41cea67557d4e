import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import type { Transformation } from './age.ts';
import { CHECKSUMS, type Checksums, SIGNATURE } from './manifest.ts';
import { sign } from './signature.ts';

/** The file has the name of the draft until it is complete. */
interface OutputFile {
  path: string;
  draft: string;
}

/** Writes a backup into a file or standard output. */
export class ArchiveWriter {
  readonly #pack = pack();
  readonly #written: Promise<void>;
  readonly #file: OutputFile | null;
  readonly #members: Checksums['members'] = {};
  readonly #startedAt = new Date();
  #bytes = 0;
  #failure: Error | null = null;

  private constructor(output: Writable, encrypt: Transformation | null, file: OutputFile | null) {
    this.#file = file;
    const counted = new PassThrough();
    counted.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
    });
    const packed = this.#pack as AsyncIterable<Uint8Array>;
    // Standard output stays open.
    const last = pipeline(counted, output, { end: file !== null });
    const first = encrypt ? pipeline(packed, encrypt, counted) : pipeline(packed, counted);
    this.#written = Promise.all([first, last]).then(() => {});
    // `add` and `finish` report the error.
    this.#written.catch((error: Error) => {
      this.#failure = error;
      this.#pack.destroy(error);
    });
  }

  /**
   * Creates a file, readable by its owner only, that gets its name when it is complete and on disk.
   * Without `path`, writes to standard output. Without `encrypt`, it is plain text.
   */
  static async create(path: string | null, encrypt: Transformation | null): Promise<ArchiveWriter> {
    if (path === null) return new ArchiveWriter(process.stdout, encrypt, null);
    const draft = `${path}.${randomUUID()}.part`;
    const handle = await open(draft, 'wx', 0o600);
    return new ArchiveWriter(handle.createWriteStream({ flush: true }), encrypt, { path, draft });
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps a few chunks in memory. @throws when the chunks do not have `size` bytes */
  async add(name: string, size: number, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    if (this.#failure) throw this.#failure;
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

  /** Adds the signed checksums of the members. The backup is complete afterwards. */
  async finish(totals: Omit<Checksums, 'members'>, encryptionKey: Buffer): Promise<void> {
    const checksums = JSON.stringify({ members: this.#members, ...totals });
    await this.addText(CHECKSUMS, checksums);
    await this.addText(SIGNATURE, sign(encryptionKey, checksums));
    this.#pack.finalize();
    await this.#written;
    if (this.#file) await publish(this.#file);
  }

  async abandon(): Promise<void> {
    this.#pack.destroy();
    await this.#written.catch(() => {});
    if (this.#file) await rm(this.#file.draft, { force: true });
  }
}

async function publish({ draft, path }: OutputFile): Promise<void> {
  await rename(draft, path);
  // Some systems cannot sync a folder. The content of the file is safe without that.
  const folder = await open(dirname(path), 'r').catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
