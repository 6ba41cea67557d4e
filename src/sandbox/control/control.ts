import type { FaultInput } from '../faults/fault.ts';
import type { ActiveFault, FaultList } from '../faults/fault-list.ts';
import type { Tokens } from '../google/tokens.ts';
import type { PublishedVideo, UploadRecord, Uploads } from '../google/uploads.ts';
import type { Journal } from '../http/journal.ts';
import type { ServiceInterview } from '../interview.ts';
import type { GrowOptions } from '../interviews/grow.ts';
import type { InterviewStore } from '../interviews/interview-store.ts';
import type { Signatures } from '../interviews/signatures.ts';

/** What tests and demonstrations do to the sandbox, in the process itself and, through `/control`, over HTTP. */
export interface Control {
  /** Sets a fault; the answer removes it again. @throws ZodError when it is none */
  fail(fault: FaultInput): { id: string; stop(): void; hits(): number };
  faults(): ActiveFault[];
  /** False when there is none of that id. */
  stopFault(id: string): boolean;
  clearFaults(): void;
  /** Ends all signatures issued so far, see the fault `signed-urls`. */
  expireSignatures(): void;
  interviews(funnelId: string): ServiceInterview[];
  add(funnelId: string, ...interviews: ServiceInterview[]): void;
  change(funnelId: string, id: string, fields: Partial<ServiceInterview>): ServiceInterview;
  remove(funnelId: string, id: string): boolean;
  grow(funnelId: string, count: number, options?: GrowOptions): ServiceInterview[];
  /** Videos that were published, oldest first. */
  published(): PublishedVideo[];
  /** Uploads that were started, oldest first, with the byte ranges that came in. */
  uploads(): UploadRecord[];
  /** Interviews as at the start, no videos, no faults, an empty journal. */
  reset(): void;
}

export interface ControlParts {
  store: InterviewStore;
  faults: FaultList;
  signatures: Signatures;
  journal: Journal;
  google: { uploads: Uploads; tokens: Tokens };
}

export function createControl({ store, faults, signatures, journal, google }: ControlParts): Control {
  return {
    fail(input) {
      const { id } = faults.add(input);
      return {
        id,
        stop: () => void faults.remove(id),
        hits: () => faults.list().find((active) => active.id === id)?.hits ?? 0,
      };
    },
    faults: () => faults.list(),
    stopFault: (id) => faults.remove(id),
    clearFaults: () => faults.clear(),
    expireSignatures: () => signatures.expire(),
    interviews: (funnelId) => store.list(funnelId).interviews,
    add: (funnelId, ...interviews) => store.add(funnelId, ...interviews),
    change: (funnelId, id, fields) => store.change(funnelId, id, fields),
    remove: (funnelId, id) => store.remove(funnelId, id),
    grow: (funnelId, count, options) => store.grow(funnelId, count, options),
    published: () => google.uploads.videos(),
    uploads: () => google.uploads.started(),
    reset() {
      google.uploads.reset();
      google.tokens.reset();
      store.reset();
      faults.clear();
      signatures.expire();
      journal.clear();
    },
  };
}
