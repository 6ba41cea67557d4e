import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { BackupRefused } from './backup-refused.ts';
import { isMemberName } from './manifest.ts';
import { BLOCK_BYTES, decodeHeader, paddingOf, type TarMember } from './tar/tar-header.ts';

const CHUNK_BYTES = 1 << 20;

export interface ArchiveMember extends TarMember {
  /** Its bytes, a chunk at a time; a chunk is good until the next one is asked for. */
  chunks(): AsyncGenerator<Buffer>;
  /** For small ones. */
  text(): Promise<string>;
}

/** Reads a backup from its beginning, as often as it is asked to. */
export class ArchiveReader {
  readonly #handle: FileHandle;
  readonly #size: number;
  readonly #name: string;

  private constructor(handle: FileHandle, size: number, name: string) {
    this.#handle = handle;
    this.#size = size;
    this.#name = name;
  }

  /** @throws BackupRefused when there is no such file */
  static async open(path: string): Promise<ArchiveReader> {
    const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
      throw new BackupRefused(
        `${path} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}.`,
      );
    });
    const stat = await handle.stat();
    if (stat.isFile()) return new ArchiveReader(handle, stat.size, basename(path));
    await handle.close();
    throw new BackupRefused(`${path} cannot be read: it is no file.`);
  }

  /** @throws BackupRefused where the file is cut off or was never a backup */
  async *members(): AsyncGenerator<ArchiveMember> {
    for (let at = 0; ; ) {
      const member = await this.#memberAt(at);
      if (!member) return;
      const from = at + BLOCK_BYTES;
      const { name, size } = member;
      at = from + size + paddingOf(size);
      if (at > this.#size) throw this.cutOff();
      yield { name, size, chunks: () => this.#chunks(from, size), text: () => this.#text(from, size) };
    }
  }

  /** Null at the end. */
  async #memberAt(at: number): Promise<TarMember | null> {
    const block = await this.#read(at, BLOCK_BYTES);
    if (block.length === BLOCK_BYTES && block.every((byte) => byte === 0)) return null;
    const member = block.length === BLOCK_BYTES ? decodeHeader(block) : null;
    if (member && isMemberName(member.name)) return member;
    if (at === 0) throw this.foreign();
    throw block.length < BLOCK_BYTES ? this.cutOff() : this.damaged('its list of members');
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  foreign = () => new BackupRefused(`${this.#name} is no backup of this product. Nothing was changed.`);
  cutOff = () =>
    new BackupRefused(`${this.#name} is not whole: its end is missing. Use another backup. Nothing was changed.`);
  damaged = (what: string) =>
    new BackupRefused(
      `${this.#name} is damaged: ${what} is not what was written. Use another backup. Nothing was changed.`,
    );

  async *#chunks(from: number, size: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < size; at += CHUNK_BYTES) {
      const chunk = await this.#read(from + at, Math.min(CHUNK_BYTES, size - at));
      if (chunk.length === 0) throw this.cutOff();
      yield chunk;
    }
  }

  async #text(from: number, size: number): Promise<string> {
    return (await this.#read(from, size)).toString('utf8');
  }

  async #read(at: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await this.#handle.read(buffer, filled, length - filled, at + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  }
}
