/** A webhook event as received. */
export interface ReceivedEvent {
  /** The path of the URL, such as `/receiver/crm`. */
  path: string;
  /** The headers of Standard Webhooks. */
  id: string;
  timestamp: string;
  signature: string;
  body: string;
  receivedAt: number;
}

const MAX_EVENTS = 20_000;

/** The events that arrived below `/receiver`. */
export class Receiver {
  #events: ReceivedEvent[] = [];

  /** Newest last; with `path`, only the events of one URL. */
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
