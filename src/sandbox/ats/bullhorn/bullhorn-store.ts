/** A row of an entity, with the rows it references embedded. */
export interface Row {
  id: number;
  [field: string]: unknown;
}

export interface BullhornFile {
  id: number;
  candidateId: number;
  name: string;
  externalID: string;
  bytes: number;
  isDeleted: boolean;
}

interface Subscription {
  names: readonly string[];
  eventTypes: readonly string[];
  waiting: object[];
  batches: object[][];
}

export type Entities = Record<string, Row[]>;
const FIRST_NEW_ID = 10_001;

/** The rows, files and subscriptions of one Bullhorn account. */
export class BullhornStore {
  readonly #initial: () => Entities;
  #entities: Entities;
  #files: BullhornFile[] = [];
  readonly subscriptions = new Map<string, Subscription>();
  /** A search finds a new note only after this time, because the index lags. */
  indexDelayMs = 0;
  #lastId = FIRST_NEW_ID - 1;
  readonly #writtenAt = new WeakMap<Row, number>();

  constructor(initial: () => Entities) {
    this.#initial = initial;
    this.#entities = initial();
  }

  /** Undefined for an unknown entity. */
  rows(entity: string): Row[] | undefined {
    return this.#entities[entity];
  }

  /** The rows in the search index. */
  indexed(entity: string): Row[] | undefined {
    const before = Date.now() - this.indexDelayMs;
    return this.rows(entity)?.filter((row) => (this.#writtenAt.get(row) ?? 0) <= before);
  }

  find(entity: string, id: number): Row | undefined {
    return this.rows(entity)?.find((row) => row.id === id);
  }

  insert(entity: string, fields: Record<string, unknown>): Row {
    const row = { ...fields, id: this.#nextId(), isDeleted: false, dateAdded: Date.now() };
    this.rows(entity)?.push(row);
    this.#writtenAt.set(row, Date.now());
    this.#publish(entity, row.id, 'INSERTED', []);
    return row;
  }

  update(entity: string, row: Row, fields: Record<string, unknown>): void {
    Object.assign(row, fields);
    this.#publish(entity, row.id, fields.isDeleted === true ? 'DELETED' : 'UPDATED', Object.keys(fields));
  }

  files(): readonly BullhornFile[] {
    return this.#files;
  }

  /** Replaces the file with this id, or adds one. */
  putFile(file: Omit<BullhornFile, 'id' | 'isDeleted'>, id: number | null): number {
    const known = this.#files.find((each) => each.id === id && each.candidateId === file.candidateId);
    if (known) return Object.assign(known, file).id;
    this.#files.push({ ...file, id: this.#nextId(), isDeleted: false });
    return this.#lastId;
  }

  subscribe(id: string, names: readonly string[], eventTypes: readonly string[]): void {
    this.subscriptions.set(id, { names, eventTypes, waiting: [], batches: [] });
  }

  reset(): void {
    this.#entities = this.#initial();
    this.#files = [];
    this.subscriptions.clear();
    this.indexDelayMs = 0;
  }

  #publish(entityName: string, entityId: number, entityEventType: string, updatedProperties: string[]): void {
    for (const { names, eventTypes, waiting } of this.subscriptions.values()) {
      if (!names.includes(entityName) || !eventTypes.includes(entityEventType)) continue;
      const eventId = `ID:SANDBOX-${this.#nextId()}`;
      const eventTimestamp = Date.now();
      waiting.push({
        eventId,
        eventType: 'ENTITY',
        eventTimestamp,
        entityName,
        entityId,
        entityEventType,
        updatedProperties,
      });
    }
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}
