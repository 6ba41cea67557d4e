import { appendFileSync, copyFileSync, existsSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

const LIMIT_BYTES = 5 * 1024 * 1024;
const HOUR_MS = 3_600_000;

/** What PostgreSQL prints, in DATA_DIR: `postgres.log`, and its predecessor `postgres.log.1`. */
export class LogFile {
  readonly path: string;
  #readFrom = 0;

  constructor(dataDir: string) {
    this.path = join(dataDir, 'postgres.log');
  }

  /** A descriptor that appends, for a child. What is printed from now on is what `printed` returns. */
  open(): number {
    this.trim();
    const descriptor = openSync(this.path, 'a', 0o600);
    this.#readFrom = statSync(this.path).size;
    return descriptor;
  }

  write(line: string): void {
    appendFileSync(this.path, `${line}\n`);
  }

  printed(): string {
    return readFileSync(this.path).subarray(this.#readFrom).toString('utf8');
  }

  /** Copies and truncates rather than renames: PostgreSQL keeps the file open and appends. */
  trim(): void {
    if (!existsSync(this.path) || statSync(this.path).size < LIMIT_BYTES) return;
    copyFileSync(this.path, `${this.path}.1`);
    truncateSync(this.path);
  }

  /** Keeps the file small until stopped; does not keep the process alive. */
  keepSmall(): { stop(): void } {
    const timer = setInterval(() => this.trim(), HOUR_MS).unref();
    return { stop: () => clearInterval(timer) };
  }
}
