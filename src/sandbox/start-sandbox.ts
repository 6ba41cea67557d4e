import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atsMount, destinationTemplate } from './ats/ats.mount.ts';
import { BULLHORN_PREFIX, bullhornMount } from './ats/bullhorn/bullhorn.mount.ts';
import { BullhornStore } from './ats/bullhorn/bullhorn-store.ts';
import { BULLHORN_CLIENT, BullhornTokens } from './ats/bullhorn/bullhorn-tokens.ts';
import { initialBullhorn } from './ats/bullhorn/initial-bullhorn.ts';
import { LEVER_PREFIX, leverMount } from './ats/lever/lever.mount.ts';
import { LEVER_KEY, LEVER_USER, LeverStore } from './ats/lever/lever-store.ts';
import { breachesMount, breachesUrl } from './breaches/breaches.mount.ts';
import { controlMount } from './control/control.mount.ts';
import { type Control, createControl } from './control/control.ts';
import { FaultList } from './faults/fault-list.ts';
import { mediaMount } from './files/media.mount.ts';
import { SANDBOX_FUNNELS, type SandboxFunnel } from './funnels.ts';
import { googleMount } from './google/google.mount.ts';
import { googleParts } from './google/google-parts.ts';
import { SANDBOX_CLIENT } from './google/tokens.ts';
import { HIREFLIX_PREFIX, hireflixMediaMount, hireflixMount } from './hireflix/hireflix.mount.ts';
import { HireflixStore } from './hireflix/hireflix-store.ts';
import { HIREFLIX_KEY, HIREFLIX_POSITIONS, initialHireflix } from './hireflix/initial-hireflix.ts';
import { Journal } from './http/journal.ts';
import { requestListener } from './http/request-listener.ts';
import { identityMount } from './identity/identity.mount.ts';
import { type IdentityProviderParts, identityProviderParts } from './identity/identity-provider.ts';
import { initialInterviews } from './interviews/initial-interviews.ts';
import { INTERVIEW_SERVICE_PREFIX, interviewServiceMount } from './interviews/interview-service.mount.ts';
import { InterviewStore } from './interviews/interview-store.ts';
import { Signatures } from './interviews/signatures.ts';
import { mailMount } from './mail/mail.mount.ts';
import { type MailServer, startMailServer } from './mail/mail-server.ts';
import { Mailbox } from './mail/mailbox.ts';
import { chatMount } from './openai/chat.mount.ts';
import { SANDBOX_CHAT } from './openai/chat-limits.ts';
import { transcriptionMount } from './openai/transcription.mount.ts';
import { SANDBOX_TRANSCRIPTION } from './openai/transcription-form.ts';
import { RECEIVER_PREFIX, receivedMount, receiverMount } from './receiver/receiver.mount.ts';
import { Receiver } from './receiver/receiver.ts';
import { initialVideoAsk, VIDEOASK_CLIENT, VIDEOASK_FORM, VIDEOASK_ORGANIZATION } from './videoask/initial-videoask.ts';
import { VIDEOASK_AUTH_PREFIX, VIDEOASK_PREFIX, videoaskAuthMount, videoaskMount } from './videoask/videoask.mount.ts';
import { VideoAskStore } from './videoask/videoask-store.ts';

export interface SandboxOptions {
  /** Default: a free port. */
  port?: number;
  /** Default: 127.0.0.1. */
  host?: string;
  /** Public URL if it differs from host and port, without a trailing slash. */
  publicUrl?: string;
  /**
   * Creation time of the newest interview; the others are from the ten months before. Default: a
   * fixed date.
   */
  newestAt?: Date;
  /** Largest page of the interview service. Default: 1,000. */
  maxPerPage?: number;
  /** Number of requests that the journal keeps. Default: 10,000. */
  journalSize?: number;
}

export interface Sandbox {
  url: string;
  /** The value for `INTERVIEW_SERVICE_URL`. */
  interviewServiceUrl: string;
  funnels: readonly SandboxFunnel[];
  /** The value for `HIREFLIX_URL`, and the fields of a funnel that reads it. */
  hireflix: { url: string; apiKey: string; positionId: string };
  /** The values for the `VIDEOASK_…` variables, and the fields of a funnel that reads it. */
  videoask: { url: string; authUrl: string; organization: string; formId: string } & typeof VIDEOASK_CLIENT;
  /** The values for the `YOUTUBE_…` variables. */
  google: { url: string; clientId: string; clientSecret: string; refreshToken: string };
  /** The values for the `TRANSCRIPTION_…` variables. */
  transcription: { url: string; apiKey: string; model: string };
  /** The values for the `SUMMARY_…` variables. */
  summary: { url: string; apiKey: string; model: string };
  /** The provider of single sign-on. `SANDBOX_SIGN_ON` has the client. */
  identity: IdentityProviderParts;
  /** The value for `DESTINATION_URL`. */
  destinationUrl: string;
  /** The values for the `LEVER_…` variables. */
  lever: { url: string; apiKey: string; user: string };
  /** The values for the `BULLHORN_…` variables. */
  bullhorn: { loginUrl: string } & typeof BULLHORN_CLIENT;
  /** The value for `BREACHED_PASSWORDS_URL`. */
  breachedPasswordsUrl: string;
  /** The value for `SMTP_URL`. `/mail` shows what arrived. */
  smtpUrl: string;
  /** A receiver of webhooks: every URL below it accepts events. `/received` shows them. */
  receiverUrl: string;
  control: Control;
  /** The received requests, without those to `/control`. */
  requests: Journal;
  /** Closes all connections and the port. */
  close(): Promise<void>;
}

const NEWEST_AT = new Date('2026-11-19T16:40:00Z');

/** Starts all simulated services on one HTTP server. Resolves when it listens. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', newestAt = NEWEST_AT, maxPerPage = 1_000, journalSize = 10_000 } = options;
  let listener: RequestListener | null = null;
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => listener?.(request, response));
  server.listen(port, host);
  await once(server, 'listening');

  const url = options.publicUrl ?? `http://${reachableHost(host)}:${(server.address() as AddressInfo).port}`;
  const parts = { ...createParts(url, newestAt), journal: new Journal(journalSize), maxPerPage };
  const mailServer = await startMailServer(host, parts.faults, parts.mailbox);
  const control = createControl(parts);
  listener = requestListener(mountAll(parts, control), parts.faults, parts.journal);
  return {
    ...connectionsOf(parts, mailServer),
    control,
    requests: parts.journal,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([closed, mailServer.close()]);
    },
  };
}

/** The state of the simulated services. */
function createParts(url: string, newestAt: Date) {
  const faults = new FaultList();
  const videoask = initialVideoAsk(newestAt);
  const hireflix = initialHireflix(newestAt);
  const interviews = [...initialInterviews(newestAt).values()].flat();
  const others = [...hireflix.map(({ candidate }) => candidate?.email), ...videoask.contacts.map(({ email }) => email)];
  return {
    store: new InterviewStore({ origin: url, funnels: SANDBOX_FUNNELS, initial: initialInterviews(newestAt) }),
    origin: url,
    videoask: new VideoAskStore(videoask),
    hireflix: new HireflixStore(url, hireflix),
    faults,
    google: googleParts(url),
    signatures: new Signatures(),
    identity: identityProviderParts(url),
    mailbox: new Mailbox(),
    receiver: new Receiver(),
    lever: new LeverStore(interviews),
    bullhorn: {
      store: new BullhornStore(() =>
        initialBullhorn(
          interviews,
          others.filter((email) => typeof email === 'string'),
        ),
      ),
      tokens: new BullhornTokens(),
    },
  };
}

type Parts = ReturnType<typeof createParts> & { journal: Journal; maxPerPage: number };

const mountAll = (parts: Parts, control: Control) => [
  interviewServiceMount(parts),
  mediaMount(parts),
  hireflixMount(parts),
  hireflixMediaMount(parts),
  videoaskMount(parts),
  videoaskAuthMount(parts),
  googleMount(parts.google),
  transcriptionMount(),
  chatMount(),
  atsMount(),
  bullhornMount(parts),
  leverMount(parts),
  identityMount(parts.identity),
  breachesMount(),
  mailMount(parts.mailbox),
  receiverMount(parts.receiver),
  receivedMount(parts.receiver),
  controlMount({ control, journal: parts.journal, funnels: SANDBOX_FUNNELS }),
];

const connectionsOf = (
  { origin: url, google, identity }: Parts,
  mailServer: MailServer,
): Omit<Sandbox, 'control' | 'requests' | 'close'> => ({
  url,
  interviewServiceUrl: url + INTERVIEW_SERVICE_PREFIX,
  funnels: SANDBOX_FUNNELS,
  hireflix: { url: url + HIREFLIX_PREFIX, apiKey: HIREFLIX_KEY, positionId: HIREFLIX_POSITIONS[0]?.id ?? '' },
  videoask: {
    url: url + VIDEOASK_PREFIX,
    authUrl: url + VIDEOASK_AUTH_PREFIX,
    organization: VIDEOASK_ORGANIZATION,
    formId: VIDEOASK_FORM.form_id,
    ...VIDEOASK_CLIENT,
  },
  google: { url: google.url, ...SANDBOX_CLIENT },
  transcription: { url: `${url}/openai/v1`, ...SANDBOX_TRANSCRIPTION },
  summary: { url: `${url}/openai/v1`, ...SANDBOX_CHAT },
  identity,
  destinationUrl: destinationTemplate(url),
  lever: { url: url + LEVER_PREFIX, apiKey: LEVER_KEY, user: LEVER_USER.email },
  bullhorn: { loginUrl: url + BULLHORN_PREFIX, ...BULLHORN_CLIENT },
  breachedPasswordsUrl: breachesUrl(url),
  smtpUrl: mailServer.url,
  receiverUrl: url + RECEIVER_PREFIX,
});

/** Replaces a wildcard address with one that clients can call. */
const reachableHost = (host: string) => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host);
