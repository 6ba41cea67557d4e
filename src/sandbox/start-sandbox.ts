import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atsMount, destinationTemplate } from './ats/ats.mount.ts';
import { breachesMount, breachesUrl } from './breaches/breaches.mount.ts';
import { controlMount } from './control/control.mount.ts';
import { type Control, createControl } from './control/control.ts';
import { FaultList } from './faults/fault-list.ts';
import { mediaMount } from './files/media.mount.ts';
import { SANDBOX_FUNNELS, type SandboxFunnel } from './funnels.ts';
import { googleMount } from './google/google.mount.ts';
import { SANDBOX_CLIENT } from './google/google-account.ts';
import { googleParts } from './google/google-parts.ts';
import { Journal } from './http/journal.ts';
import { requestListener } from './http/request-listener.ts';
import { initialInterviews } from './interviews/initial-interviews.ts';
import { INTERVIEW_SERVICE_PREFIX, interviewServiceMount } from './interviews/interview-service.mount.ts';
import { InterviewStore } from './interviews/interview-store.ts';
import { Signatures } from './interviews/signatures.ts';
import { chatMount } from './openai/chat.mount.ts';
import { SANDBOX_CHAT } from './openai/chat-account.ts';
import { transcriptionMount } from './openai/transcription.mount.ts';
import { SANDBOX_TRANSCRIPTION } from './openai/transcription-account.ts';

export interface SandboxOptions {
  /** A free one when left out. */
  port?: number;
  /** 127.0.0.1 when left out. */
  host?: string;
  /** The address that peers see, when it is not host and port. Without a slash at its end. */
  publicUrl?: string;
  /** When the newest interview was created; the others lie in the ten months before. A fixed date when left out. */
  newestAt?: Date;
  /** Interviews on a page of the interview service at most; 1,000 when left out. */
  mostPerPage?: number;
  /** How many requests the journal keeps; 10,000 when left out. */
  journalSize?: number;
}

export interface Sandbox {
  url: string;
  /** What `INTERVIEW_SERVICE_URL` is set to. */
  interviewServiceUrl: string;
  funnels: readonly SandboxFunnel[];
  /** What the `YOUTUBE_…` variables are set to. */
  google: { url: string; clientId: string; clientSecret: string; refreshToken: string };
  /** What the `TRANSCRIPTION_…` variables are set to. */
  transcription: { url: string; apiKey: string; model: string };
  /** What the `SUMMARY_…` variables are set to. */
  summary: { url: string; apiKey: string; model: string };
  /** What `DESTINATION_URL` is set to. */
  destinationUrl: string;
  /** What `BREACHED_PASSWORDS_URL` is set to. */
  breachedPasswordsUrl: string;
  control: Control;
  /** What has been asked of the stand-ins; `/control` is not among it. */
  requests: Journal;
  /** Cuts all connections and frees the port. */
  close(): Promise<void>;
}

const NEWEST_AT = new Date('2026-11-19T16:40:00Z');

/** Starts stand-ins for the outside world on one HTTP server. Resolves when it listens. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', newestAt = NEWEST_AT, mostPerPage = 1_000, journalSize = 10_000 } = options;
  let listener: RequestListener | null = null;
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => listener?.(request, response));
  server.listen(port, host);
  await once(server, 'listening');

  const url = options.publicUrl ?? `http://${addressable(host)}:${(server.address() as AddressInfo).port}`;
  const faults = new FaultList();
  const google = googleParts(url, faults);
  const parts = {
    store: new InterviewStore({ origin: url, funnels: SANDBOX_FUNNELS, initial: initialInterviews(newestAt) }),
    faults,
    google,
    signatures: new Signatures(),
    journal: new Journal(journalSize),
    mostPerPage,
  };
  const control = createControl(parts);
  const mounts = [
    interviewServiceMount(parts),
    mediaMount(parts),
    googleMount(google),
    transcriptionMount(parts),
    chatMount(parts),
    atsMount(),
    breachesMount(),
    controlMount({ control, journal: parts.journal, funnels: SANDBOX_FUNNELS }),
  ];
  listener = requestListener(mounts, parts.faults, parts.journal);

  return {
    url,
    interviewServiceUrl: url + INTERVIEW_SERVICE_PREFIX,
    funnels: SANDBOX_FUNNELS,
    google: { url: google.url, ...SANDBOX_CLIENT },
    transcription: { url: `${url}/openai/v1`, ...SANDBOX_TRANSCRIPTION },
    summary: { url: `${url}/openai/v1`, ...SANDBOX_CHAT },
    destinationUrl: destinationTemplate(url),
    breachedPasswordsUrl: breachesUrl(url),
    control,
    requests: parts.journal,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** An address that stands for all of the machine's is nothing that a peer can call. */
const addressable = (host: string) => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host);
