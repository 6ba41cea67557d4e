/** The `?sig=` of file addresses: only the one that was issued last for a path is good. */
export class Signatures {
  #issued = new Map<string, string>();
  #last = 0;

  /** The address with a fresh signature; the older ones of the same path end with that. */
  sign(address: string): string {
    this.#last += 1;
    const signature = this.#last.toString(36).padStart(6, '0');
    this.#issued.set(new URL(address).pathname, signature);
    return `${address}?sig=${signature}`;
  }

  isGood(path: string, signature: string | null): boolean {
    return signature !== null && this.#issued.get(path) === signature;
  }

  /** Ends all that were issued so far, as time does in the real service. */
  expire(): void {
    this.#issued.clear();
  }
}
