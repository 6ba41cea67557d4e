import { z } from 'zod';
import { isMissing } from '#server/adapters/ats-http/ats-http.ts';
import { MAX_CANDIDATES, MAX_JOBS, name, newCache } from '#server/adapters/ats-http/ats-values.ts';
import { cleanUrl } from '#server/adapters/outside-http/clean-text.ts';
import type { Ats, AtsCandidate, AtsJob, AtsNote, AtsTarget, StoredNote } from '#server/ports/ats.ts';
import { LeverClient, type LeverOptions } from './lever-client.ts';
import { hasMarker, matchesWords, noteText } from './lever-texts.ts';

export interface LeverAtsOptions extends LeverOptions {
  /** The e-mail address of the user who writes the notes. */
  user: string | undefined;
}

const MAX_PAGES = 10;
/** Lever has no employers. */
const EMPLOYER_ID = 'lever';
const OPEN_STATES = ['published', 'internal'];

const id = z.string().min(1).max(200);
const pageUrl = z.string().nullish().catch(null).transform(cleanUrl);
const Posting = z.object({
  id,
  text: name,
  state: z.string().catch(''),
  updatedAt: z.number().catch(0),
  categories: z.object({ department: name }).nullish(),
  urls: z.object({ show: pageUrl }).nullish(),
});
const Opportunity = z.object({
  id,
  name,
  stage: z.object({ text: name }).nullish().catch(null),
  applications: z.array(z.unknown()).catch([]),
  isAnonymized: z.boolean().catch(false),
  urls: z.object({ show: pageUrl }).nullish(),
});
const Note = z.object({
  id,
  fields: z.array(z.object({ value: z.string() })).catch([]),
  deletedAt: z.number().nullish(),
});
const User = z.object({ id, email: z.string().nullish() });
/** Some responses contain the id at a different path than documented. */
const Written = z.object({ data: z.object({ noteId: id }) });

/** Lever's REST interface (https://hire.lever.co/developer/documentation). */
export class LeverAts implements Ats {
  readonly name = 'Lever';
  readonly #user: string | undefined;
  readonly #client: LeverClient;
  readonly #jobs = newCache<AtsJob>();
  readonly #open = newCache<AtsJob[]>();
  readonly #candidates = newCache<AtsCandidate[]>();
  readonly #users = newCache<{ id: string }>();

  constructor(options: LeverAtsOptions) {
    this.#user = options.user;
    this.#client = new LeverClient(options);
  }

  /** Lever does not report if a key may write notes. Only the first note shows it. */
  async check(signal: AbortSignal): Promise<{ account: string; canWrite: boolean }> {
    await this.#client.get('/postings?limit=1', z.object({ data: z.array(z.unknown()) }), signal);
    if (this.#user === undefined) return { account: 'the owner of the API key', canWrite: true };
    return { account: this.#user, canWrite: (await this.#findUserId(signal)) !== null };
  }

  async searchJobs(search: string, signal: AbortSignal): Promise<AtsJob[]> {
    const open = this.#open.get('open') ?? (await this.#listOpenJobs(signal));
    return open.filter(({ title, employerName }) => matchesWords(search, [title, employerName])).slice(0, MAX_JOBS);
  }

  async findJob({ jobId }: { employerId: string; jobId: string }, signal: AbortSignal): Promise<AtsJob | null> {
    const known = this.#jobs.get(jobId);
    if (known || !isPathPart(jobId)) return known ?? null;
    const response = await this.#client.call({ method: 'GET', path: `/postings/${encodeURIComponent(jobId)}` }, signal);
    if (isMissing(response)) return null;
    const { data } = this.#client.http.read(response, z.object({ data: Posting }));
    const job = toJob(data);
    if (job.isOpen) this.#jobs.set(jobId, job);
    return job;
  }

  async findCandidates({ email, jobId }: { email: string; jobId: string }, signal: AbortSignal) {
    const key = `${jobId} ${email.toLowerCase()}`;
    const known = this.#candidates.get(key);
    if (known) return known;
    const query = [
      ['email', email],
      ['expand', 'applications'],
      ['expand', 'stage'],
      ['confidentiality', 'all'],
    ] as const;
    const rows = await this.#client.list('/opportunities', query, { schema: Opportunity, maxPages: 1 }, signal);
    const usable = rows.filter(({ isAnonymized }) => !isAnonymized);
    const isForJob = ({ applications }: z.output<typeof Opportunity>) =>
      JSON.stringify(applications).includes(`"${jobId}"`);
    const sorted = [...usable.filter(isForJob), ...usable.filter((each) => !isForJob(each))];
    const found = sorted.slice(0, MAX_CANDIDATES).map(({ id, name, stage, urls }) => ({
      id,
      // The stage distinguishes opportunities of the same person.
      name: usable.length > 1 && stage?.text ? `${name} (${stage.text})` : name,
      email,
      url: urls?.show ?? null,
    }));
    if (found.length > 0) this.#candidates.set(key, found);
    return found;
  }

  async findNote({ candidateId }: AtsTarget, marker: string, signal: AbortSignal): Promise<StoredNote | null> {
    const rows = await this.#client.list(notesPath(candidateId), [], { schema: Note, maxPages: MAX_PAGES }, signal);
    const note = rows.find(
      ({ deletedAt, fields }) => !deletedAt && fields.some(({ value }) => hasMarker(value, marker)),
    );
    return note ? stored(candidateId, note.id) : null;
  }

  async createNote({ candidateId }: AtsTarget, note: AtsNote, signal: AbortSignal): Promise<StoredNote> {
    const path = `${notesPath(candidateId)}${await this.#performAs(signal)}`;
    const fields = { value: noteText(note), secret: false, notifyFollowers: false };
    const response = await this.#client.call({ method: 'POST', path, fields }, signal);
    return stored(candidateId, this.#client.http.read(response, Written).data.noteId);
  }

  async replaceNote({ candidateId }: AtsTarget, noteId: string, note: AtsNote, signal: AbortSignal) {
    const path = `${notePath(candidateId, noteId)}${await this.#performAs(signal)}`;
    const fields = { values: [{ value: noteText(note) }] };
    const response = await this.#client.call({ method: 'PUT', path, fields }, signal);
    this.#client.http.read(response, Written);
    return stored(candidateId, noteId);
  }

  async removeNote({ candidateId }: AtsTarget, noteId: string, signal: AbortSignal): Promise<void> {
    const path = notePath(candidateId, noteId);
    const response = await this.#client.call({ method: 'DELETE', path }, signal);
    if (!isMissing(response) && response.status !== 204) this.#client.http.read(response, Written);
  }

  async #listOpenJobs(signal: AbortSignal): Promise<AtsJob[]> {
    const limits = { schema: Posting, maxPages: MAX_PAGES };
    const postings = await this.#client.list('/postings', [['state', 'published']], limits, signal);
    const open = postings
      .toSorted((a, b) => b.updatedAt - a.updatedAt)
      .map(toJob)
      .filter(({ isOpen }) => isOpen);
    this.#open.set('open', open);
    return open;
  }

  async #performAs(signal: AbortSignal): Promise<string> {
    if (this.#user === undefined) return '';
    const userId = await this.#findUserId(signal);
    if (userId !== null) return `?perform_as=${encodeURIComponent(userId)}`;
    const message = `Lever has no user ${this.#user}. Ask an admin to check LEVER_USER.`;
    throw this.#client.http.error('rejected', message);
  }

  async #findUserId(signal: AbortSignal): Promise<string | null> {
    const email = this.#user ?? '';
    const known = this.#users.get(email);
    if (known) return known.id;
    const users = await this.#client.list('/users', [['email', email]], { schema: User, maxPages: 1 }, signal);
    const found = users.find((user) => user.email?.toLowerCase() === email.toLowerCase());
    if (found) this.#users.set(email, found);
    return found?.id ?? null;
  }
}

/** Other ids would change the path or match no posting. */
const isPathPart = (text: string): boolean => /^[\w-]{1,100}$/.test(text);
const notesPath = (opportunityId: string): string => `/opportunities/${encodeURIComponent(opportunityId)}/notes`;
const notePath = (opportunityId: string, noteId: string): string =>
  `${notesPath(opportunityId)}/${encodeURIComponent(noteId)}`;
const stored = (opportunityId: string, noteId: string): StoredNote => ({
  id: noteId,
  url: `https://hire.lever.co/candidates/${encodeURIComponent(opportunityId)}`,
});

const toJob = ({ id: jobId, text, state, categories, urls }: z.output<typeof Posting>): AtsJob => ({
  employerId: EMPLOYER_ID,
  employerName: categories?.department || 'No department',
  jobId,
  title: text,
  isOpen: OPEN_STATES.includes(state),
  url: urls?.show ?? null,
});
