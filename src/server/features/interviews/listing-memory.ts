/** A bounded number of values, those asked for most recently. */
export class Recent<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    // A map keeps the order of insertion: the first key is the one that nobody asked for the longest.
    this.#values.delete(key);
    this.#values.set(key, value);
    const oldest = this.#values.keys().next();
    if (this.#values.size > this.#most && !oldest.done) this.#values.delete(oldest.value);
  }
}
