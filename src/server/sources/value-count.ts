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
  /** The next byte of the text is escaped. */
  #isEscaped = false;

  get count(): number {
    return this.#count;
  }

  add(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) at = this.#isInText ? this.#skipText(chunk, at) : this.#countValues(chunk, at);
  }

  /** Returns the position after the next quote. Native search, because texts are most of a page. */
  #skipText(chunk: Uint8Array, at: number): number {
    const quote = chunk.indexOf(QUOTE, at);
    const end = quote === -1 ? chunk.length : quote;
    let start = end;
    while (start > at && chunk[start - 1] === BACKSLASH) start -= 1;
    const backslashes = end - start + (start === at && this.#isEscaped ? 1 : 0);
    const isEscaped = backslashes % 2 === 1;
    this.#isEscaped = isEscaped && quote === -1;
    this.#isInText = isEscaped || quote === -1;
    return end + 1;
  }

  #countValues(chunk: Uint8Array, start: number): number {
    for (let at = start; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.#count += 1;
      else if (byte === QUOTE) {
        this.#isInText = true;
        return at + 1;
      }
    }
    return chunk.length;
  }
}
