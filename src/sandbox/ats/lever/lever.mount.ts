import { z } from 'zod';
import { sendSlowly } from '#sandbox/ats/send-slowly.ts';
import type { FaultOf } from '#sandbox/faults/fault.ts';
import { type Exchange, readJson } from '#sandbox/http/exchange.ts';
import type { Mount } from '#sandbox/http/mount.ts';
import { LEVER_KEY, LEVER_USER, type LeverNote, type LeverStore } from './lever-store.ts';

/** The value for `LEVER_URL`, without the origin. */
export const LEVER_PREFIX = '/lever/v1';

export interface LeverParts {
  origin: string;
  lever: LeverStore;
}

interface Call {
  store: LeverStore;
  exchange: Exchange;
  parts: string[];
  origin: string;
}

class LeverRefusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const NewNote = z.object({
  value: z.string().min(1),
  secret: z.boolean().optional(),
  notifyFollowers: z.boolean().optional(),
});
const ChangedNote = z.object({ values: z.array(z.object({ value: z.string().min(1) })).min(1) });

interface LeverResponse {
  status: 200 | 201 | 204;
  body: object;
}
const ok = (body: object): LeverResponse => ({ status: 200, body });

const CALLS: Record<string, (call: Call) => LeverResponse | Promise<LeverResponse>> = {
  'GET /users': ({ exchange }) => {
    const email = exchange.query.get('email');
    return ok({ data: email === null || email === LEVER_USER.email ? [LEVER_USER] : [], hasNext: false });
  },
  'GET /postings': ({ store, exchange }) => {
    const state = exchange.query.get('state');
    return page(store.postings.filter((posting) => state === null || posting.state === state).map(toPosting), exchange);
  },
  'GET /postings/([^/]+)': ({ store, parts: [id] }) => {
    const posting = store.postings.find((each) => each.id === id);
    if (!posting) throw notFound();
    return ok({ data: toPosting(posting) });
  },
  'GET /opportunities': ({ store, exchange, origin }) => {
    const email = exchange.query.get('email')?.toLowerCase();
    const posting = exchange.query.get('posting_id');
    const found = store.opportunities.filter(
      ({ emails, postingId, isConfidential }) =>
        emails.some((own) => own.toLowerCase() === email) &&
        (posting === null || posting === postingId) &&
        (store.seesConfidential || !isConfidential),
    );
    const rows = found.map(({ id, name, emails, stage, postingId, isAnonymized }) => ({
      ...{ id, name, emails, isAnonymized },
      stage: { id: stage, text: stage },
      applications: [{ posting: postingId }],
      urls: { show: `${origin}/lever/candidates/${id}` },
    }));
    return page(rows, exchange);
  },
  'GET /opportunities/([^/]+)/notes': ({ store, exchange, parts: [id = ''] }) => {
    expectOpportunity(store, id);
    return page(store.notes.filter((note) => note.opportunityId === id && !note.deletedAt).map(toNote), exchange);
  },
  'POST /opportunities/([^/]+)/notes': async ({ store, exchange, parts: [id = ''] }) => {
    expectOpportunity(store, id);
    const { value } = await read(exchange, NewNote);
    const note = store.addNote(id, value, exchange.query.get('perform_as'));
    return { status: 201, body: { data: { noteId: note.id } } };
  },
  'PUT /opportunities/([^/]+)/notes/([^/]+)': async ({ store, exchange, parts }) => {
    const note = findOwnNote(store, parts);
    note.value = (await read(exchange, ChangedNote)).values[0]?.value ?? '';
    return ok({ data: { noteId: note.id } });
  },
  'DELETE /opportunities/([^/]+)/notes/([^/]+)': ({ store, parts }) => {
    findOwnNote(store, parts).deletedAt = Date.now();
    return { status: 204, body: {} };
  },
};

const ROUTES = Object.entries(CALLS).map(([route, call]) => ({
  pattern: new RegExp(`^${route.replace(' ', ` ${LEVER_PREFIX}`)}$`),
  call,
}));

/** Lever's REST interface, with its limit of 10 requests a second. */
export function leverMount({ origin, lever: store }: LeverParts): Mount {
  const bucket = new TokenBucket();
  return {
    name: 'lever',
    prefix: '/lever',
    async handle(exchange) {
      const { faults } = exchange;
      const fault = faults.take('ats-body');
      if (fault) return exchange.send(200, fault.contentType, Buffer.from(fault.body.repeat(fault.repeats)));
      try {
        expectAdmitted(store, bucket, exchange);
        const response = await respondTo({ store, exchange, origin });
        if (exchange.method !== 'GET' && faults.take('ats-response-lost')) return exchange.reset();
        await send(exchange, response, faults.take('ats-slow'));
      } catch (error) {
        if (!(error instanceof LeverRefusal)) throw error;
        exchange.json(error.status, { code: error.code, message: error.message });
      }
    },
  };
}

function respondTo(call: Omit<Call, 'parts'>): LeverResponse | Promise<LeverResponse> {
  const line = `${call.exchange.method} ${call.exchange.path}`;
  const route = ROUTES.find(({ pattern }) => pattern.test(line));
  if (!route) throw notFound();
  return route.call({ ...call, parts: (route.pattern.exec(line) ?? []).slice(1) });
}

async function send(exchange: Exchange, response: LeverResponse, slow: FaultOf<'ats-slow'> | null): Promise<void> {
  if (response.status !== 204) return sendSlowly(exchange, slow, response);
  exchange.head(204, {});
  exchange.end();
}

/** 10 tokens a second, and 20 at most. */
class TokenBucket {
  #tokens = 20;
  #at = Date.now();

  take(): boolean {
    const now = Date.now();
    this.#tokens = Math.min(20, this.#tokens + (now - this.#at) / 100);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

function expectAdmitted(store: LeverStore, bucket: TokenBucket, { request }: Exchange): void {
  const [scheme, credentials = ''] = (request.headers.authorization ?? '').split(' ');
  const key = scheme === 'Basic' ? Buffer.from(credentials, 'base64').toString().replace(/:$/, '') : credentials;
  if (!store.isKeyValid || key !== LEVER_KEY) throw new LeverRefusal(401, 'Unauthorized', 'The API key is invalid.');
  if (!bucket.take()) throw new LeverRefusal(429, 'TooManyRequests', 'Rate limit exceeded.');
}

const notFound = () => new LeverRefusal(404, 'ResourceNotFound', 'Resource was not found.');

function expectOpportunity(store: LeverStore, id: string): void {
  if (!store.opportunities.some((each) => each.id === id)) throw notFound();
}

function findOwnNote(store: LeverStore, [opportunityId, noteId]: string[]): LeverNote {
  const note = store.notes.find((each) => each.id === noteId && each.opportunityId === opportunityId);
  if (!note || note.deletedAt) throw notFound();
  if (!note.isMadeByApi) throw new LeverRefusal(400, 'BadRequest', 'Only notes made by the API can be changed.');
  return note;
}

async function read<T>(exchange: Exchange, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(await readJson(exchange.request).catch(() => null));
  if (!parsed.success) throw new LeverRefusal(400, 'BadRequest', z.prettifyError(parsed.error));
  return parsed.data;
}

/** Offsets are opaque: made-up ones are rejected. */
function page(rows: readonly object[], { query, path }: Exchange): LeverResponse {
  const limit = Math.min(100, Number(query.get('limit') ?? '100'));
  const offset = query.get('offset');
  const start = offset === null ? 0 : Number(Buffer.from(offset, 'base64url').toString().replace(`${path}#`, ''));
  if (!Number.isInteger(start)) throw new LeverRefusal(400, 'BadRequest', 'The offset is invalid.');
  const end = start + limit;
  const hasNext = end < rows.length;
  const next = hasNext ? { next: Buffer.from(`${path}#${end}`).toString('base64url') } : {};
  return ok({ data: rows.slice(start, end), hasNext, ...next });
}

const toPosting = ({ id, text, department, state, updatedAt }: LeverStore['postings'][number]) => ({
  ...{ id, text, state, updatedAt },
  categories: { department, location: 'Remote', team: null },
  urls: { show: `https://jobs.lever.example/${id}` },
});

const toNote = ({ id, value, user, createdAt, deletedAt }: LeverNote) => ({
  ...{ id, createdAt, deletedAt, secret: false },
  fields: [{ type: 'note', value, user, createdAt }],
});
