const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;

/**
 * Counts the values of a JSON text while it arrives, at most a few too many. Parsing takes time and
 * memory by the number of values, not of bytes: 8 MB of `{},{},…` take seconds and 300 MB.
 */
export class ValueCount {
  #count = 0;
  #isInText = false;
  #isEscaped = false;

  get count(): number {
    return this.#count;
  }

  add(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (this.#isInText) this.#addToText(byte);
      else if (byte === QUOTE) this.#isInText = true;
      else if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.#count += 1;
    }
  }

  #addToText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInText = false;
  }
}
