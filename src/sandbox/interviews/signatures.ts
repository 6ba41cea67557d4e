/** The `?sig=` of file URLs. Only the latest signature of a path is valid. */
export class Signatures {
  #issued = new Map<string, string>();
  #last = 0;

  /** Returns the URL with a new signature and invalidates older ones of the same path. */
  sign(url: string): string {
    this.#last += 1;
    const signature = this.#last.toString(36).padStart(6, '0');
    this.#issued.set(new URL(url).pathname, signature);
    return `${url}?sig=${signature}`;
  }

  isValid(path: string, signature: string | null): boolean {
    return signature !== null && this.#issued.get(path) === signature;
  }

  /** Invalidates all signatures issued so far, as time does in the real service. */
  expire(): void {
    this.#issued.clear();
  }
}
