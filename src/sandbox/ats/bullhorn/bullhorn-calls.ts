import { z } from 'zod';
import { type Exchange, readJson } from '#sandbox/http/exchange.ts';
import { jpqlTest, luceneTest, readField, selectFields } from './bullhorn-query.ts';
import type { BullhornStore, Row } from './bullhorn-store.ts';
import { NOTE_ACTIONS } from './initial-bullhorn.ts';

/** A response that Bullhorn gives instead of data. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface Call {
  store: BullhornStore;
  exchange: Exchange;
  /** The capture groups of the route. */
  parts: string[];
}

const reference = z.object({ id: z.int() });
const Fields = {
  Note: z.object({
    action: z.enum(NOTE_ACTIONS).optional(),
    comments: z.string().max(2_147_483_647).optional(),
    personReference: reference.optional(),
    commentingPerson: reference.optional(),
    jobOrder: reference.optional(),
    externalID: z.string().max(100).optional(),
  }),
  JobSubmission: z.object({
    candidate: reference.optional(),
    jobOrder: reference.optional(),
    status: z.string().max(30).optional(),
    dateWebResponse: z.number().optional(),
    source: z.string().max(100).optional(),
    comments: z.string().optional(),
    screeningStatus: z.string().max(100).optional(),
    screeningSummary: z.string().max(255).optional(),
  }),
};
const REQUIRED = { Note: ['comments', 'personReference'], JobSubmission: ['candidate', 'jobOrder', 'status'] };
const File = z.object({
  externalID: z.string().max(100),
  fileType: z.literal('SAMPLE'),
  name: z.string().max(100),
  fileContent: z.base64(),
});

type Handler = (call: Call) => object | Promise<object>;

/** Method and path of each call; parentheses are passed to the handler. */
export const CALLS: Record<string, Handler> = {
  'GET ping': () => ({ sessionExpires: Date.now() + 600_000 }),
  'GET entitlements/(\\w+)': ({ parts: [entity = ''] }) =>
    entity === 'Candidate' ? ['READ_CORPORATE'] : ['CREATE', 'READ_CORPORATE', 'UPDATE_OWNED', 'DELETE_OWNED'],
  'GET settings/commentActionList': () => ({ commentActionList: NOTE_ACTIONS }),
  'GET settings/jobResponseStatusList': () => ({ jobResponseStatusList: ['New Lead', 'Submitted', 'Placed'] }),
  'GET search/(\\w+)': search,
  'GET query/(\\w+)': query,
  'GET entity/(\\w+)/(\\d+)': ({ store, exchange, parts: [entity = '', id] }) => ({
    data: selectFields(findRow(store, entity, Number(id)), fieldsOf(exchange)),
  }),
  'PUT entity/(Note|JobSubmission)': insert,
  'POST entity/(Note|JobSubmission)/(\\d+)': update,
  'DELETE entity/(Note|JobSubmission)/(\\d+)': ({ store, parts: [entity = '', id] }) => {
    store.update(entity, findRow(store, entity, Number(id)), { isDeleted: true });
    return { changedEntityId: Number(id), changeType: 'DELETE' };
  },
  'GET entity/Candidate/(\\d+)/fileAttachments': ({ store, parts: [candidateId] }) => ({
    data: store.files().filter((file) => file.candidateId === Number(candidateId) && !file.isDeleted),
  }),
  'PUT file/Candidate/(\\d+)': putFile,
  'POST file/Candidate/(\\d+)/(\\d+)': putFile,
  'DELETE file/Candidate/(\\d+)/(\\d+)': ({ store, parts: [, fileId] }) => {
    const file = store.files().find(({ id }) => id === Number(fileId));
    if (!file) throw new Refusal(404, 'File not found.');
    file.isDeleted = true;
    return { fileId: file.id, changeType: 'DELETED' };
  },
  'PUT event/subscription/(\\w+)': ({ store, exchange: { query }, parts: [id = ''] }) => {
    store.subscribe(id, (query.get('names') ?? '').split(','), (query.get('eventTypes') ?? '').split(','));
    return { subscriptionId: id, createdOn: Date.now() };
  },
  'GET event/subscription/(\\w+)': takeEvents,
};

function search({ store, exchange, parts: [entity = ''] }: Call): object {
  const rows = store.indexed(entity);
  if (!rows) throw new Refusal(404, `Entity ${entity} not found.`);
  return page(rows.filter(luceneTest(exchange.query.get('query') ?? '')), exchange);
}

function query({ store, exchange, parts: [entity = ''] }: Call): object {
  const rows = store.rows(entity);
  if (!rows) throw new Refusal(404, `Entity ${entity} not found.`);
  return page(rows.filter(jpqlTest(exchange.query.get('where') ?? '')), exchange);
}

function page(rows: Row[], exchange: Exchange): object {
  const { query } = exchange;
  const [count, start] = [Number(query.get('count') ?? '20'), Number(query.get('start') ?? '0')];
  const fields = fieldsOf(exchange);
  const sort = query.get('sort') ?? '';
  const descending = sort.startsWith('-') ? sort.slice(1) : null;
  const sorted = descending
    ? rows.toSorted((a, b) => Number(readField(b, descending)) - Number(readField(a, descending)))
    : rows;
  const data = sorted.slice(start, start + count).map((row) => selectFields(row, fields));
  return { total: rows.length, start, count: data.length, data };
}

function fieldsOf({ query }: Exchange): string {
  const fields = query.get('fields');
  if (!fields) throw new Refusal(400, "Missing required parameter 'fields'.");
  return fields;
}

function findRow(store: BullhornStore, entity: string, id: number): Row {
  const row = store.find(entity, id);
  if (!row) throw new Refusal(404, `Entity ${entity} with id ${id} not found.`);
  return row;
}

async function readFields({ exchange, parts }: Call): Promise<Record<string, unknown>> {
  const parsed = Fields[parts[0] as keyof typeof Fields].safeParse(await readJson(exchange.request));
  if (!parsed.success) throw new Refusal(400, z.prettifyError(parsed.error));
  return parsed.data;
}

async function insert(call: Call): Promise<object> {
  const { store, parts } = call;
  const entity = parts[0] as keyof typeof Fields;
  const fields = await readFields(call);
  const missing = REQUIRED[entity].find((name) => fields[name] === undefined);
  if (missing) throw new Refusal(400, `${entity}.${missing} is required.`);
  const person = (fields.personReference ?? fields.candidate) as Row;
  findRow(store, 'Candidate', person.id);
  if (fields.jobOrder) findRow(store, 'JobOrder', (fields.jobOrder as Row).id);
  return { changedEntityType: entity, changedEntityId: store.insert(entity, fields).id, changeType: 'INSERT' };
}

async function update(call: Call): Promise<object> {
  const { store, parts } = call;
  const [entity = '', id] = parts;
  const row = findRow(store, entity, Number(id));
  if (row.isDeleted) throw new Refusal(404, `Entity ${entity} with id ${id} not found.`);
  store.update(entity, row, await readFields(call));
  return { changedEntityType: entity, changedEntityId: row.id, changeType: 'UPDATE' };
}

async function putFile({ store, exchange, parts: [candidate, fileId] }: Call): Promise<object> {
  const candidateId = findRow(store, 'Candidate', Number(candidate)).id;
  const parsed = File.safeParse(await readJson(exchange.request));
  if (!parsed.success) throw new Refusal(400, z.prettifyError(parsed.error));
  const { name, externalID, fileContent } = parsed.data;
  const bytes = Buffer.from(fileContent, 'base64').length;
  return { fileId: store.putFile({ candidateId, name, externalID, bytes }, fileId ? Number(fileId) : null) };
}

/** Takes events off the queue. A batch can be read again by its number. */
function takeEvents({ store, exchange: { query }, parts: [id = ''] }: Call): object {
  const subscription = store.subscriptions.get(id);
  if (!subscription) throw new Refusal(404, `Subscription ${id} not found.`);
  const { waiting, batches } = subscription;
  const again = query.get('requestId');
  if (again !== null) return { requestId: Number(again), events: batches[Number(again) - 1] ?? [] };
  if (waiting.length === 0) return {};
  const events = waiting.splice(0, Number(query.get('maxEvents') ?? '100'));
  return { requestId: batches.push(events), events };
}
