import { z } from 'zod';
import { AtsHttp, type AtsResponse, type AtsRestCall, isMissing } from '#server/adapters/ats-http/ats-http.ts';
import { MAX_CANDIDATES, MAX_JOBS, name, newCache } from '#server/adapters/ats-http/ats-values.ts';
import { guardedAgent } from '#server/adapters/outside-http/guarded-agent.ts';
import type { OutgoingProxy } from '#server/adapters/outside-http/outgoing-proxy.ts';
import { AllowedHosts } from '#server/adapters/outside-http/private-addresses.ts';
import { loadOnce } from '#server/async/single-flight.ts';
import { unlessAborted } from '#server/async/unless-aborted.ts';
import type { Ats, AtsCandidate, AtsJob, AtsNote, AtsTarget, StoredNote } from '#server/ports/ats.ts';
import type { AtsConnectionStore } from '#server/ports/ats-connection.ts';
import { BullhornSignIn, type OpenedSession } from './bullhorn-sign-in.ts';
import { externalIdOf, noteHtml, openJobsQuery, phrase, recordUrl } from './bullhorn-texts.ts';
import { type BullhornClient, type BullhornSession, BullhornTokens } from './bullhorn-tokens.ts';

export interface BullhornAccess {
  client: BullhornClient;
  loginUrl: string;
  /** Private hosts that Bullhorn's URLs may resolve to, in addition to `loginUrl`'s. */
  allowPrivateHosts: readonly string[];
  proxy?: OutgoingProxy | undefined;
  timeoutMs?: number | undefined;
  limitDelayMs?: number | undefined;
}

export interface BullhornOptions extends BullhornAccess {
  connection: AtsConnectionStore;
}

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 10_000;
/** Preferred types of our notes. Installations of Bullhorn differ in the types they have. */
const NOTE_ACTIONS = ['video interview', 'other'];
/** Replaces the text of an erased note, because Bullhorn keeps deleted notes. */
const ERASED = '<p>Erased.</p>';

const id = z.int().positive().transform(String);
const Job = z.object({
  id,
  title: name,
  isOpen: z.boolean().catch(true),
  isDeleted: z.boolean().catch(false),
  clientCorporation: z.object({ id, name }),
});
const Candidate = z.object({
  id,
  name,
  email: name,
  email2: name,
  email3: name,
  isDeleted: z.boolean().catch(false),
});
const Note = z.object({ id, externalID: z.string().nullish(), personReference: z.object({ id }).nullish() });
const list = <Item>(item: z.ZodType<Item>) =>
  z
    .object({ data: z.array(z.unknown()) })
    .transform(({ data }) => data.flatMap((row) => item.safeParse(row).data ?? []));
const JOB_FIELDS = 'id,title,isOpen,isDeleted,clientCorporation(id,name)';
const Changed = z.object({ changedEntityId: id });

export function bullhornTokens({ client, loginUrl, ...access }: BullhornAccess) {
  const host = new URL(loginUrl).hostname.replace(/^\[|\]$/g, '');
  const allowed = new AllowedHosts([...access.allowPrivateHosts, host]);
  const agent = { connections: CONNECTIONS, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 };
  const dispatcher = guardedAgent(allowed, { agent, connectTimeoutMs: CONNECT_TIMEOUT_MS, proxy: access.proxy });
  const { timeoutMs, limitDelayMs } = access;
  const variable = 'BULLHORN_LOGIN_URL';
  const http = new AtsHttp({ service: 'Bullhorn', variable, dispatcher, timeoutMs, limitDelayMs });
  return { http, tokens: new BullhornTokens(http, client, loginUrl) };
}

/** Bullhorn's REST interface (https://bullhorn.github.io/rest-api-docs). */
export class BullhornAts implements Ats {
  readonly name = 'Bullhorn';
  readonly #username: string;
  readonly #http: AtsHttp;
  readonly #tokens: BullhornTokens;
  readonly #signIn: BullhornSignIn;
  readonly #jobs = newCache<AtsJob>();
  readonly #candidates = newCache<AtsCandidate[]>();
  readonly #noteAction = loadOnce(() => this.#findNoteAction());

  constructor(options: BullhornOptions) {
    this.#username = options.client.username;
    const { http, tokens } = bullhornTokens(options);
    this.#http = http;
    this.#tokens = tokens;
    this.#signIn = new BullhornSignIn(tokens, options.connection);
  }

  async check(signal: AbortSignal): Promise<{ account: string; canWrite: boolean }> {
    const { body } = await this.#get('entitlements/Note', z.array(z.string()), signal);
    return { account: this.#username, canWrite: body.includes('CREATE') };
  }

  async searchJobs(search: string, signal: AbortSignal): Promise<AtsJob[]> {
    const query = new URLSearchParams({
      query: openJobsQuery(search),
      fields: JOB_FIELDS,
      sort: '-dateLastModified',
      count: String(MAX_JOBS),
      start: '0',
    });
    const { body, session } = await this.#get(`search/JobOrder?${query}`, list(Job), signal);
    return body.map((job) => toJob(job, session));
  }

  async findJob({ employerId, jobId }: { employerId: string; jobId: string }, signal: AbortSignal) {
    const known = this.#jobs.get(jobId);
    if (known || !isId(jobId)) return known ?? null;
    const path = `entity/JobOrder/${jobId}?fields=${encodeURIComponent(JOB_FIELDS)}`;
    const { response, session } = await this.#call({ method: 'GET', path }, signal);
    if (isMissing(response)) return null;
    const { data } = this.#http.read(response, z.object({ data: Job }));
    if (data.isDeleted) return null;
    const job = toJob(data, session);
    // The job's client may have just been corrected in Bullhorn.
    if (job.isOpen && job.employerId === employerId) this.#jobs.set(jobId, job);
    return job;
  }

  async findCandidates({ email }: { email: string }, signal: AbortSignal): Promise<AtsCandidate[]> {
    const wanted = email.trim().toLowerCase();
    const known = this.#candidates.get(wanted);
    if (known) return known;
    const fields = ['email', 'email2', 'email3'].map((field) => `${field}:${phrase(wanted)}`);
    const query = new URLSearchParams({
      query: `(${fields.join(' OR ')}) AND isDeleted:0`,
      fields: 'id,name,email,email2,email3,isDeleted',
      count: String(MAX_CANDIDATES),
    });
    const { body, session } = await this.#get(`search/Candidate?${query}`, list(Candidate), signal);
    // The index may match parts of an address.
    const found = body
      .filter(
        (each) => !each.isDeleted && [each.email, each.email2, each.email3].some((own) => own.toLowerCase() === wanted),
      )
      .map((each) => ({ id: each.id, name: each.name, email, url: recordUrl(session.restUrl, 'Candidate', each.id) }));
    if (found.length > 0) this.#candidates.set(wanted, found);
    return found;
  }

  async findNote({ candidateId }: AtsTarget, marker: string, signal: AbortSignal): Promise<StoredNote | null> {
    const externalId = externalIdOf(marker);
    const query = new URLSearchParams({
      query: `externalID:${phrase(externalId)} AND isDeleted:0`,
      fields: 'id,externalID,personReference(id)',
      count: '20',
    });
    const { body, session } = await this.#get(`search/Note?${query}`, list(Note), signal);
    const note = body.find((each) => each.externalID === externalId && each.personReference?.id === candidateId);
    return note ? { id: note.id, url: recordUrl(session.restUrl, 'Candidate', candidateId) } : null;
  }

  async createNote({ candidateId, jobId }: AtsTarget, note: AtsNote, signal: AbortSignal): Promise<StoredNote> {
    if (!isId(jobId) || !isId(candidateId))
      throw this.#http.error(
        'rejected',
        `Bullhorn has no job ${jobId}: its ids are numbers. Choose another destination.`,
      );
    const fields = {
      action: await unlessAborted(this.#noteAction(), signal),
      comments: noteHtml(note),
      personReference: { id: Number(candidateId) },
      jobOrder: { id: Number(jobId) },
      externalID: externalIdOf(note.marker),
    };
    const { response, session } = await this.#call({ method: 'PUT', path: 'entity/Note', fields }, signal);
    const { changedEntityId } = this.#http.read(response, Changed);
    return { id: changedEntityId, url: recordUrl(session.restUrl, 'Candidate', candidateId) };
  }

  async replaceNote({ candidateId, jobId }: AtsTarget, noteId: string, note: AtsNote, signal: AbortSignal) {
    // The destination may have changed in the meantime.
    const fields = { comments: noteHtml(note), ...(isId(jobId) && { jobOrder: { id: Number(jobId) } }) };
    const call = { method: 'POST', path: notePath(noteId), fields } as const;
    const { response, session } = await this.#call(call, signal);
    this.#http.read(response, Changed);
    return { id: noteId, url: recordUrl(session.restUrl, 'Candidate', candidateId) };
  }

  async removeNote(_: AtsTarget, noteId: string, signal: AbortSignal): Promise<void> {
    const emptied = { method: 'POST', path: notePath(noteId), fields: { comments: ERASED, externalID: '' } } as const;
    for (const call of [emptied, { method: 'DELETE', path: notePath(noteId) } as const]) {
      const { response } = await this.#call(call, signal);
      if (isMissing(response)) return;
      this.#http.read(response, Changed);
    }
  }

  async #findNoteAction(): Promise<string> {
    const Settings = z.object({ commentActionList: z.array(z.string()).min(1) });
    const { body } = await this.#get('settings/commentActionList', Settings, new AbortController().signal);
    const actions = body.commentActionList;
    const preferred = NOTE_ACTIONS.flatMap((own) => actions.find((action) => action.toLowerCase() === own) ?? []);
    return preferred[0] ?? actions[0] ?? '';
  }

  async #get<T>(path: string, schema: z.ZodType<T>, signal: AbortSignal) {
    const { response, session } = await this.#call({ method: 'GET', path }, signal);
    return { body: this.#http.read(response, schema), session };
  }

  /** Sends one request. Retries only after a 429, and with a new session after a 401. */
  #call(
    { method, path, fields }: AtsRestCall,
    signal: AbortSignal,
  ): Promise<{ response: AtsResponse; session: BullhornSession }> {
    const send = (session: BullhornSession, limited: AbortSignal) =>
      this.#tokens.urls.send(
        { method, fields, url: session.restUrl + path, headers: { BhRestToken: session.token } },
        limited,
      );
    return this.#http.within(signal, async (limited) => {
      for (let rejected: BullhornSession | null = null; ; ) {
        const { session, isNew }: OpenedSession = await unlessAborted(this.#signIn.get(rejected), limited);
        const response = await send(session, limited);
        if (!isSignedOut(response)) return { response, session };
        if (isNew && rejected) return await this.#signIn.giveUp(session);
        rejected = session;
      }
    });
  }
}

const isSignedOut = ({ status }: AtsResponse): boolean => status === 401 || status === 412;
const isId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);
const notePath = (noteId: string): string => `entity/Note/${encodeURIComponent(noteId)}`;

const toJob = (
  { id: jobId, title, isOpen, clientCorporation }: z.output<typeof Job>,
  { restUrl }: BullhornSession,
): AtsJob => ({
  employerId: clientCorporation.id,
  employerName: clientCorporation.name,
  jobId,
  title,
  isOpen,
  url: recordUrl(restUrl, 'JobOrder', jobId),
});
