import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { CallInput } from '#contracts/endpoint.ts';
import { createShares, type NewLink, SharedPage } from '#contracts/shares.ts';
import type { App } from '#server/http/app.ts';
import type { Person } from './call.ts';
import { insertInterviews } from './insert-interviews.ts';
import { sample } from './make-recording.ts';
import type { TestApp } from './start-app.ts';

type ShareForm = CallInput<typeof createShares>['body'];

const DAY_MS = 24 * 60 * 60_000;
export const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

export const CANDIDATES = [
  { id: 'dana', name: 'Dana Moore', email: 'dana.moore@example.com', phone: '+1 555 0100' },
  { id: 'omar', name: 'Omar Haddad', email: 'omar.haddad@example.com', phone: '+1 555 0101' },
] as const;

/** Inserts an interview of each candidate, with a recording and texts that contain their name. */
export async function insertCandidates(product: TestApp, funnelId: number): Promise<void> {
  await insertInterviews(
    product.db,
    CANDIDATES.map(({ id, name, email }) => ({
      ...{ id, funnelId, candidateName: name, title: `${name} for Nurses`, seconds: 100 },
      transcript: `Hello, I am ${name}. Write to ${email}.`,
      summary: `Overview\n${name.split(' ')[1]} has led a team.`,
    })),
  );
  for (const { id, name, email, phone } of CANDIDATES) {
    await product.db
      .updateTable('interview')
      .set({
        ...{ candidate_email: email, candidate_phone: phone },
        ...{ video_file: `${id}-moore-1a2b.mp4`, thumbnail_file: `${id}-moore-1a2b.jpg` },
        questions: JSON.stringify([{ position: 0, question: `${name}, why Nurses?`, startSeconds: 3 }]),
      })
      .where('id', '=', id)
      .execute();
    const segments = [{ startSeconds: 0, endSeconds: 4, text: `Hello, I am ${name}.` }];
    await product.db
      .updateTable('interview_text')
      .set({ segments: JSON.stringify(segments) })
      .where('interview_id', '=', id)
      .execute();
    await writeStored(product, 'videos', `${id}-moore-1a2b.mp4`, await sample('eng-microphone-off.mp4'));
    await writeStored(product, 'thumbnails', `${id}-moore-1a2b.jpg`, Buffer.from(`a picture of ${id}`));
  }
}

async function writeStored({ dataDir }: TestApp, folder: string, name: string, content: Buffer): Promise<void> {
  await mkdir(join(dataDir, 'files', folder), { recursive: true });
  await writeFile(join(dataDir, 'files', folder, name), content);
}

export const shareForm = (form: Partial<ShareForm> = {}): ShareForm => ({
  recipients: [{ name: 'Ann Lee', email: 'ann@client.example' }],
  interviewIds: CANDIDATES.map(({ id }) => id),
  title: 'Two nurses',
  message: 'Have a look.',
  expiresAt: inDays(14),
  shows: { name: 'full', contact: false, transcript: true, summary: true, questions: true },
  mayComment: true,
  mayDecide: true,
  ...form,
});

export const previewForm = (form: Partial<ShareForm> = {}) => {
  const { recipients: _recipients, passcode: _passcode, send: _send, ...shown } = shareForm(form);
  return { ...shown, recipient: 'Ann Lee' };
};

/** Shares both candidates with one recipient, except for what `form` changes. */
export const share = (recruiter: Person, form?: Partial<ShareForm>): Promise<NewLink[]> =>
  recruiter.call(createShares, { body: shareForm(form) });

export async function shareOne(recruiter: Person, form: Partial<ShareForm> = {}): Promise<NewLink> {
  const [link] = await share(recruiter, form);
  if (!link) throw new Error('Nothing was shared');
  return link;
}

export const tokenOf = ({ link }: { link: string }): string => link.slice(link.lastIndexOf('/') + 1);

/** The browser of a recipient, which sends the cookie of the link below its path only. */
export class Guest {
  readonly #app: App;
  readonly path: string;
  cookie: string | undefined;

  constructor(app: App, link: { link: string }) {
    this.#app = app;
    this.path = `/s/${tokenOf(link)}`;
  }

  async request(options: { method?: string; url: string } & Omit<InjectOptions, 'url' | 'method'>) {
    const { url, method = 'GET', headers, ...rest } = options;
    const response = await this.#app.inject({
      ...rest,
      method: method as 'GET',
      url: this.path + url,
      headers: { ...headers, ...(this.cookie && { cookie: this.cookie }) },
    });
    const [set] = response.cookies;
    if (set) this.cookie = `${set.name}=${set.value}`;
    return response;
  }

  open(passcode?: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
    return this.request({ method: 'POST', url: '/open', payload: { passcode }, headers });
  }

  async page(): Promise<SharedPage> {
    return SharedPage.parse((await this.request({ url: '/items' })).json());
  }

  watch(n: number, ranges: [number, number][]) {
    return this.request({ method: 'POST', url: '/watched', payload: { n, ranges } });
  }

  decide(n: number, verdict: 'yes' | 'maybe' | 'no', note?: string) {
    return this.request({ method: 'PUT', url: '/verdict', payload: { n, verdict, note } });
  }

  comment(n: number, atSeconds: number, body: string) {
    return this.request({ method: 'POST', url: '/comments', payload: { n, atSeconds, body } });
  }
}

/** Opens a link as its recipient. */
export async function openedGuest(app: App, link: { link: string }, passcode?: string): Promise<Guest> {
  const guest = new Guest(app, link);
  const response = await guest.open(passcode);
  if (response.statusCode !== 204) throw new Error(`The link cannot be opened: ${response.body}`);
  return guest;
}
