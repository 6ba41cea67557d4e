import { open } from 'node:fs/promises';

/**
 * Makes renames inside a folder durable (fsync(2): the entry in the directory needs its own). Calls that come while one sync is under
 * way share the next one, so a hundred files committed at once cost a few syncs.
 */
export class DirectorySync {
  readonly #path: string;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves when everything renamed before the call is on the disk. */
  sync(): Promise<void> {
    // The running sync may have started before our rename, so it does not count for us.
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  async #after(running: Promise<void> | null): Promise<void> {
    await running?.catch(() => undefined);
    this.#running = this.#next;
    this.#next = null;
    await syncDirectory(this.#path);
  }
}

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
