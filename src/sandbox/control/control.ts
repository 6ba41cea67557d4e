import type { BullhornStore } from '#sandbox/ats/bullhorn/bullhorn-store.ts';
import type { BullhornTokens } from '#sandbox/ats/bullhorn/bullhorn-tokens.ts';
import type { LeverStore } from '#sandbox/ats/lever/lever-store.ts';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import type { ActiveFault, FaultList } from '#sandbox/faults/fault-list.ts';
import type { Tokens } from '#sandbox/google/tokens.ts';
import type { PublishedVideo, UploadRecord, Uploads } from '#sandbox/google/uploads.ts';
import type { HireflixInterview } from '#sandbox/hireflix/hireflix-interview.ts';
import type { HireflixGrowth, HireflixStore } from '#sandbox/hireflix/hireflix-store.ts';
import { HIREFLIX_POSITIONS } from '#sandbox/hireflix/initial-hireflix.ts';
import { sendWebhook } from '#sandbox/hireflix/send-webhook.ts';
import type { Journal } from '#sandbox/http/journal.ts';
import type { IdentityProviderParts } from '#sandbox/identity/identity-provider.ts';
import { initialPeople } from '#sandbox/identity/people.ts';
import type { ServiceInterview } from '#sandbox/interview.ts';
import type { GrowOptions } from '#sandbox/interviews/grow.ts';
import type { InterviewStore } from '#sandbox/interviews/interview-store.ts';
import type { Signatures } from '#sandbox/interviews/signatures.ts';
import type { Mailbox, SandboxMail } from '#sandbox/mail/mailbox.ts';
import type { ReceivedEvent, Receiver } from '#sandbox/receiver/receiver.ts';
import type { VideoAskStore } from '#sandbox/videoask/videoask-store.ts';

/**
 * Changes that tests and demonstrations make to the sandbox: in the same process, and over HTTP
 * through `/control`.
 */
export interface Control {
  /**
   * Sets a fault. `stop` of the result removes it.
   * @throws ZodError for an invalid fault
   */
  fail(fault: FaultInput): { id: string; stop(): void; hits(): number };
  faults(): ActiveFault[];
  /** Returns false for an unknown id. */
  stopFault(id: string): boolean;
  clearFaults(): void;
  /** Invalidates all signatures issued so far; see the fault `signed-urls`. */
  expireSignatures(): void;
  interviews(funnelId: string): ServiceInterview[];
  add(funnelId: string, ...interviews: ServiceInterview[]): void;
  change(funnelId: string, id: string, fields: Partial<ServiceInterview>): ServiceInterview;
  remove(funnelId: string, id: string): boolean;
  grow(funnelId: string, count: number, options?: GrowOptions): ServiceInterview[];
  hireflix: {
    /** The interviews of the first position, newest first. */
    interviews(): HireflixInterview[];
    add(...interviews: HireflixInterview[]): void;
    remove(id: string): boolean;
    grow(count: number, growth: HireflixGrowth): void;
    sendWebhook: typeof sendWebhook;
  };
  videoask: Pick<VideoAskStore, 'contacts' | 'add' | 'remove' | 'expireTokens'>;
  bullhorn: { store: BullhornStore; tokens: BullhornTokens };
  lever: LeverStore;
  /** Published videos, oldest first. */
  published(): PublishedVideo[];
  /** Started uploads, oldest first, with the received byte ranges. */
  uploads(): UploadRecord[];
  /** Received mails, oldest first. */
  mails(): SandboxMail[];
  /** Received webhook events, oldest first; with `path`, only the events of one URL. */
  events(path?: string): ReceivedEvent[];
  /**
   * Restores the initial interviews, and removes everything else, including faults and the journal.
   */
  reset(): void;
}

export interface ControlParts {
  store: InterviewStore;
  hireflix: HireflixStore;
  videoask: VideoAskStore;
  faults: FaultList;
  signatures: Signatures;
  journal: Journal;
  google: { uploads: Uploads; tokens: Tokens };
  identity: Pick<IdentityProviderParts, 'state'>;
  mailbox: Mailbox;
  receiver: Receiver;
  bullhorn: Control['bullhorn'];
  lever: LeverStore;
}

export function createControl({
  store,
  hireflix,
  videoask,
  faults,
  signatures,
  journal,
  google,
  identity,
  mailbox,
  receiver,
  bullhorn,
  lever,
}: ControlParts): Control {
  return {
    ...faultControl(faults),
    expireSignatures() {
      signatures.expire();
      hireflix.expireSignatures();
    },
    interviews: (funnelId) => store.list(funnelId).interviews,
    add: (funnelId, ...interviews) => store.add(funnelId, ...interviews),
    change: (funnelId, id, fields) => store.change(funnelId, id, fields),
    remove: (funnelId, id) => store.remove(funnelId, id),
    grow: (funnelId, count, options) => store.grow(funnelId, count, options),
    hireflix: {
      interviews: () => hireflix.list(HIREFLIX_POSITIONS[0]?.id ?? ''),
      add: (...interviews) => hireflix.add(...interviews),
      remove: (id) => hireflix.remove(id),
      grow: (count, growth) => hireflix.grow(count, growth),
      sendWebhook,
    },
    ...{ videoask, bullhorn, lever },
    published: () => google.uploads.videos(),
    uploads: () => google.uploads.started(),
    mails: () => mailbox.list(),
    events: (path) => receiver.list(path),
    reset() {
      google.uploads.reset();
      google.tokens.reset();
      mailbox.clear();
      receiver.clear();
      for (const rows of [store, hireflix, videoask, bullhorn.store, lever]) rows.reset();
      Object.assign(identity.state, { people: initialPeople(), tampering: null });
      faults.clear();
      signatures.expire();
      journal.clear();
    },
  };
}

const faultControl = (faults: FaultList): Pick<Control, 'fail' | 'faults' | 'stopFault' | 'clearFaults'> => ({
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
});
