import type { FileKind } from '#server/ports/file-store.ts';
import type { Known } from './download-try.ts';

interface Name {
  kind: FileKind;
  name: string;
}

/** Far more than are ever under way; the oldest are forgotten, and their files begun anew. */
const MOST = 1_000;

/**
 * What the half written files of this process are, so that a download which ended early, because its address expired for instance,
 * can go on later. Files of an earlier process are unknown, and so begun anew.
 */
export class Leftovers {
  #known = new Map<string, Known & { size: number }>();

  /** Notes a half written file; false when nothing identifies its content. */
  keep(name: Name, size: number, known: Known): boolean {
    if (known.validator === null || size === 0) return false;
    this.#known.set(keyOf(name), { ...known, size });
    const oldest = this.#known.keys().next();
    if (this.#known.size > MOST && !oldest.done) this.#known.delete(oldest.value);
    return true;
  }

  /** What was noted of the file, if it still is as it was. */
  take(name: Name, size: number): Known | null {
    const known = this.#known.get(keyOf(name));
    this.#known.delete(keyOf(name));
    return known && known.size === size ? known : null;
  }
}

const keyOf = ({ kind, name }: Name) => `${kind}/${name}`;
