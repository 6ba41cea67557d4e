/** A webhook event as its receiver got it. */
export interface ReceivedEvent {
  /** Of the address, such as `/receiver/crm`. */
  path: string;
  /** Those of Standard Webhooks. */
  id: string;
  timestamp: string;
  signature: string;
  body: string;
  receivedAt: number;
}

const MAX_EVENTS = 20_000;

/** What arrived at all addresses below `/receiver`. */
export class Receiver {
  #events: ReceivedEvent[] = [];

  /** The newest last; with `path`, only those of one address. */
  list(path?: string): ReceivedEvent[] {
    return this.#events.filter((event) => path === undefined || event.path === path);
  }

  accept(event: Omit<ReceivedEvent, 'receivedAt'>): void {
    this.#events.push({ ...event, receivedAt: Date.now() });
    if (this.#events.length >= 2 * MAX_EVENTS) this.#events = this.#events.slice(-MAX_EVENTS);
  }

  clear(): void {
    this.#events = [];
  }
}
