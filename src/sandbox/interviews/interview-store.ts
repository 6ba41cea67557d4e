import type { SandboxFunnel } from '#sandbox/funnels.ts';
import type { ServiceInterview } from '#sandbox/interview.ts';
import { type GrowOptions, grownInterviews } from './grow.ts';
import { InterviewList } from './interview-list.ts';

export interface StoreSource {
  /** Prefix for listed paths. */
  origin: string;
  funnels: readonly SandboxFunnel[];
  initial: ReadonlyMap<string, readonly ServiceInterview[]>;
}

/** The data of the simulated interview service and its changes. */
export class InterviewStore {
  readonly #source: StoreSource;
  #lists = new Map<string, InterviewList>();
  #grown = 0;

  constructor(source: StoreSource) {
    this.#source = source;
    this.reset();
  }

  /** Restores the initial state. */
  reset(): void {
    const { origin, funnels, initial } = this.#source;
    this.#grown = 0;
    this.#lists = new Map(
      funnels.map(({ funnelId }) => [funnelId, new InterviewList(origin, initial.get(funnelId) ?? [])]),
    );
  }

  get funnels(): readonly SandboxFunnel[] {
    return this.#source.funnels;
  }

  /** @throws Error for an unknown funnel */
  list(funnelId: string): InterviewList {
    const list = this.#lists.get(funnelId);
    if (!list) throw new Error(`The sandbox has no funnel ${funnelId}. It has ${[...this.#lists.keys()].join(', ')}.`);
    return list;
  }

  /** Adds interviews unchanged, including malformed ones. An existing id is replaced. */
  add(funnelId: string, ...interviews: ServiceInterview[]): void {
    this.list(funnelId).add(interviews);
  }

  /**
   * Changes the given fields, sets `updatedAt` to now unless given, and returns the whole
   * interview.
   */
  change(funnelId: string, id: string, fields: Partial<ServiceInterview>): ServiceInterview {
    const interview = this.list(funnelId).find(id);
    if (!interview) throw new Error(`The sandbox's funnel ${funnelId} has no interview ${id}.`);
    const changed = { ...interview, updatedAt: new Date().toISOString(), ...fields };
    this.list(funnelId).add([changed]);
    return changed;
  }

  /** Returns false for an unknown interview. */
  remove(funnelId: string, id: string): boolean {
    return this.list(funnelId).remove(id);
  }

  grow(funnelId: string, count: number, options: GrowOptions = {}): ServiceInterview[] {
    const interviews = grownInterviews(funnelId, this.#grown + 1, count, options);
    this.#grown += count;
    this.list(funnelId).add(interviews);
    return interviews;
  }

  /** Returns the funnel of the interview. */
  funnelIdOf(interviewId: string): string | null {
    for (const [funnelId, list] of this.#lists) if (list.find(interviewId)) return funnelId;
    return null;
  }
}
