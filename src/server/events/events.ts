import { EVENTS, type EventData, type EventName } from '#contracts/events.ts';
import type { LogAction, LogStatus, LogType } from '#contracts/logs.ts';
import type { Executor } from '#server/db/database.ts';
import { announce, type Topic } from '#server/live/announce.ts';

/** Contains no password, key, cookie or transcript. Large details are shortened when stored. */
export interface NewLogEntry {
  action: LogAction;
  /** Default: `error` with the status `error`, else `system`. */
  type?: LogType;
  /** Default: `success`. */
  status?: LogStatus;
  summary: string;
  details?: object | null;
  metadata?: object | null;
}

/** The subjects of an entry. */
export interface Concerns {
  /** The funnel, if any. */
  funnelId: number | null;
  /** All interviews that the entry mentions. Null: its texts may mention others. */
  interviewIds: string[] | null;
}

/** The consequences of an event, all in its transaction. */
interface Following<Name extends EventName, Features, Reported> {
  log?(data: EventData<Name>): NewLogEntry | readonly NewLogEntry[] | null;
  /**
   * True when the entry quotes texts of services, files or users, which may mention interviews that
   * the data does not name. An erasure searches these entries.
   */
  quotes?(data: EventData<Name>): boolean;
  /** Suppresses duplicates from other processes within this time. */
  onceWithin?(data: EventData<Name>): number;
  /**
   * Resolves with true if the feature continues the work that the event ended; `live` then differs.
   */
  react?(features: Features, tx: Executor, data: EventData<Name>): Promise<boolean | void>;
  /** The event for outgoing webhooks. Null: none. */
  webhook?(data: EventData<Name>): Reported | null;
  /** Sent after the commit. */
  live?(data: EventData<Name>, isContinued: boolean): readonly Announcement[];
}

export type Announcement = readonly [topic: Topic, id: string];

export type EventTable<Features, Reported = never> = {
  readonly [Name in EventName]: Following<Name, Features, Reported>;
};

interface Outlets<Reported> {
  writeEntry(tx: Executor, entry: NewLogEntry & Concerns, onceWithinMs?: number): Promise<void>;
  reportEvent(tx: Executor, event: Reported): Promise<void>;
}

/** Records what happened. */
export class Events<Features = unknown, Reported = unknown> {
  readonly #table: EventTable<Features, Reported>;
  readonly #outlets: Outlets<Reported>;
  #features: Features | null = null;

  constructor(table: EventTable<Features, Reported>, outlets: Outlets<Reported>) {
    this.#table = table;
    this.#outlets = outlets;
  }

  /**
   * Must be called once with the features that react to events. Commands record events without
   * them.
   */
  connect(features: Features): void {
    this.#features = features;
  }

  /**
   * Applies all consequences of the event with the current actor, in the given transaction or in
   * a new one. Drops unknown fields. An event without an entry or a webhook starts none, because a
   * reaction that waits, such as to `funnel.change-requested`, must not hold a connection.
   */
  async record<Name extends EventName>(db: Executor, name: Name, happened: EventData<Name>): Promise<void> {
    const data = EVENTS[name].parse(happened) as EventData<Name>;
    const { log, webhook } = this.#table[name];
    if (db.isTransaction || !(log ?? webhook)) await this.#apply(db, name, data);
    else await db.transaction().execute((tx) => this.#apply(tx, name, data));
  }

  async #apply<Name extends EventName>(tx: Executor, name: Name, data: EventData<Name>): Promise<void> {
    const following: Following<Name, Features, Reported> = this.#table[name];
    const { log, quotes, onceWithin, react, webhook, live } = following;
    const concerns = concernsOf(data as object, quotes?.(data) ?? false);
    for (const entry of [log?.(data) ?? []].flat())
      await this.#outlets.writeEntry(tx, { ...entry, ...concerns }, onceWithin?.(data));
    const isContinued = (react && (await react(this.#reactors(name), tx, data))) === true;
    const reported = webhook?.(data) ?? null;
    if (reported !== null) await this.#outlets.reportEvent(tx, reported);
    for (const [topic, id] of live?.(data, isContinued) ?? []) await announce(tx, topic, id);
  }

  #reactors(name: EventName): Features {
    if (this.#features === null) throw new Error(`The features that react to ${name} are not connected.`);
    return this.#features;
  }
}

/**
 * `funnelId`, `interviewId` and `interviewIds` have these meanings anywhere in an event's data, and
 * `funnelIds` at its top level.
 */
function concernsOf(data: object, hasQuotes: boolean): Concerns {
  const { funnelIds: listed } = data as { funnelIds?: readonly number[] | null };
  const funnelIds = new Set<number>(listed);
  const interviewIds = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { funnelId, interviewId, interviewIds: ids } = value as Record<string, unknown>;
    if (typeof funnelId === 'number') funnelIds.add(funnelId);
    for (const id of [interviewId, ids].flat()) if (typeof id === 'string') interviewIds.add(id);
    for (const inside of Object.values(value)) collect(inside);
  };
  collect(data);
  const [funnelId = null] = funnelIds.size === 1 ? funnelIds : [];
  return { funnelId, interviewIds: hasQuotes ? null : [...interviewIds] };
}
