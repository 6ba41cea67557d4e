import type { FileScanner } from '#server/ports/file-scanner.ts';
import type { PartialFile } from '#server/ports/file-store.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';

/** The scanner found a virus in a file; counted with what services refuse. */
export class Infected extends UpstreamError {
  override name = 'Infected';
  readonly virus: string;

  constructor(virus: string) {
    super('scanner', 'rejected', `A virus was found in this file (${virus}). It was removed and is not served.`);
    this.virus = virus;
  }
}

/**
 * Reads a finished file once more, for the scanner, while nobody can see it yet. What failed is not tried again here: the scanner is near,
 * and the file waits for the next refresh.
 * @throws Infected, or what the scanner throws
 */
export async function demandClean(scanner: FileScanner, file: PartialFile, signal: AbortSignal): Promise<void> {
  const verdict = await scanner.scan(file, signal);
  if (verdict.status === 'infected') throw new Infected(verdict.virus);
}
