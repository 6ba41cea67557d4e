import { Fault, type FaultInput, type FaultKind, type FaultOf, mountOf } from './fault.ts';

/** The request that a fault is matched against. */
export interface FaultSubject {
  mount: string;
  path: string;
  funnelId: string | null;
  page: number | null;
}

/** The active faults as one request sees them. */
export interface RequestFaults {
  /** Returns the first matching fault of these kinds and counts a hit. */
  take<Kind extends FaultKind>(...kinds: Kind[]): FaultOf<Kind> | null;
  /** Returns an active fault of this kind regardless of its limits; does not count as a hit. */
  find<Kind extends FaultKind>(kind: Kind): FaultOf<Kind> | null;
}

export interface ActiveFault {
  id: string;
  fault: Fault;
  /** Number of requests affected so far. */
  hits: number;
}

/** The active faults in the order in which they were set. */
export class FaultList {
  #active: (ActiveFault & { seen: number; pattern: RegExp | null })[] = [];
  #lastId = 0;

  /** @throws ZodError for an invalid fault */
  add(input: FaultInput): ActiveFault {
    const fault = Fault.parse(input);
    this.#lastId += 1;
    const pattern = fault.path === undefined ? null : patternOf(fault.path);
    const active = { id: `fault_${this.#lastId}`, fault, hits: 0, seen: 0, pattern };
    this.#active.push(active);
    return active;
  }

  list(): ActiveFault[] {
    return this.#active.map(({ id, fault, hits }) => ({ id, fault, hits }));
  }

  /** `subject` is called only when a fault is set. */
  for(subject: () => FaultSubject): RequestFaults {
    return { take: (...kinds) => this.#take(subject, kinds), find: (kind) => this.#find(kind) };
  }

  #find<Kind extends FaultKind>(kind: Kind): FaultOf<Kind> | null {
    for (const { fault } of this.#active) if (isOfKind(fault, [kind])) return fault;
    return null;
  }

  remove(id: string): boolean {
    const before = this.#active.length;
    this.#active = this.#active.filter((active) => active.id !== id);
    return this.#active.length < before;
  }

  clear(): void {
    this.#active = [];
  }

  #take<Kind extends FaultKind>(subject: () => FaultSubject, kinds: readonly Kind[]): FaultOf<Kind> | null {
    for (const active of this.#active) {
      const { fault } = active;
      if (!isOfKind(fault, kinds) || !matches(fault, active.pattern, subject())) continue;
      active.seen += 1;
      if (active.seen % (fault.every ?? 1) !== 0) continue;
      if (active.seen <= (fault.skip ?? 0) || active.hits >= (fault.times ?? Number.POSITIVE_INFINITY)) continue;
      active.hits += 1;
      return fault;
    }
    return null;
  }
}

const isOfKind = <Kind extends FaultKind>(fault: Fault, kinds: readonly Kind[]): fault is FaultOf<Kind> =>
  (kinds as readonly FaultKind[]).includes(fault.kind);

const matches = (fault: Fault, pattern: RegExp | null, { mount, path, funnelId, page }: FaultSubject) =>
  mountOf(fault) === mount &&
  (fault.funnelId === undefined || fault.funnelId === funnelId) &&
  (fault.onPage === undefined || fault.onPage === page) &&
  (pattern === null || pattern.test(path));

const patternOf = (path: string) => new RegExp(`^${path.split('*').map(RegExp.escape).join('.*')}$`, 's');
