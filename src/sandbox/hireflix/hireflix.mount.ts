import { randomUUID } from 'node:crypto';
import { execute, parse, validate } from 'graphql';
import { z } from 'zod';
import { endlessItems } from '#sandbox/faults/endless-list.ts';
import type { FaultOf } from '#sandbox/faults/fault.ts';
import type { RequestFaults } from '#sandbox/faults/fault-list.ts';
import { committedFile } from '#sandbox/files/file-source.ts';
import { generatedVideo } from '#sandbox/files/generated-video.ts';
import { sendBody } from '#sandbox/files/send-body.ts';
import { sendFile } from '#sandbox/files/send-file.ts';
import { type Exchange, readJson } from '#sandbox/http/exchange.ts';
import type { Mount } from '#sandbox/http/mount.ts';
import type { HireflixInterview } from './hireflix-interview.ts';
import { schemaWithout } from './hireflix-schema.ts';
import type { HireflixStore } from './hireflix-store.ts';
import { HIREFLIX_KEY, HIREFLIX_MEDIA, HIREFLIX_POSITIONS } from './initial-hireflix.ts';

export interface HireflixParts {
  hireflix: HireflixStore;
}

/** The value for `HIREFLIX_URL`, without the origin. */
export const HIREFLIX_PREFIX = '/hireflix';
const PATH = `${HIREFLIX_PREFIX}/me`;
const JSON_TYPE = 'application/json; charset=utf-8';
const Body = z.object({ query: z.string(), variables: z.record(z.string(), z.unknown()).nullish() });

/** Hireflix: `POST {base}/me`, GraphQL over the reconstructed schema. */
export const hireflixMount = (parts: HireflixParts): Mount => ({
  name: 'hireflix',
  prefix: HIREFLIX_PREFIX,
  async handle(exchange) {
    if (exchange.method !== 'POST' || exchange.path !== PATH)
      return exchange.fail(404, 'not_found', `Use POST ${PATH}.`);
    if (exchange.request.headers['x-api-key'] !== HIREFLIX_KEY)
      return exchange.json(401, { errors: [{ message: 'Unauthorized' }] });
    await respondToQuery(exchange, parts);
  },
});

interface QueryParts extends HireflixParts {
  faults: RequestFaults;
}

async function respondToQuery(exchange: Exchange, parts: HireflixParts): Promise<void> {
  const body = Body.safeParse(await readJson(exchange.request).catch(() => null));
  if (!body.success) return exchange.json(400, { errors: [{ message: 'Send a JSON body with a query.' }] });
  const { faults } = exchange;
  const fault = faults.take('graphql-errors', 'graphql-body');
  if (fault?.kind === 'graphql-body') return exchange.send(200, JSON_TYPE, Buffer.from(fault.body));
  if (fault) {
    const { message, code } = fault;
    return exchange.json(200, { data: null, errors: [{ message, ...(code && { extensions: { code } }) }] });
  }
  const { status, result } = await executeQuery({ ...parts, faults }, body.data.query, body.data.variables ?? {});
  const slow = faults.take('slow-response');
  const bytes = Buffer.from(JSON.stringify(result));
  if (!slow) return exchange.send(status, JSON_TYPE, bytes);
  exchange.head(status, { 'content-type': JSON_TYPE, 'content-length': bytes.length });
  await sendBody(exchange, [bytes], { kind: 'slow', bytesPerSecond: slow.bytesPerSecond });
}

async function executeQuery(parts: QueryParts, query: string, variables: Record<string, unknown>) {
  const schema = schemaWithout(parts.faults.find('old-schema')?.without ?? []);
  const document = parse(query);
  const errors = validate(schema, document);
  if (errors.length > 0) return { status: 400, result: { errors } };
  const result = await execute({ schema, document, rootValue: rootOf(parts), variableValues: variables });
  return { status: 200, result };
}

function rootOf({ hireflix, faults }: QueryParts) {
  const isUnencoded = faults.take('not-encoded') !== null;
  const nonce = faults.take('changing-parameter') ? `&nonce=${randomUUID()}` : '';
  const sign = (path: string | null | undefined) => {
    const url = hireflix.sign(path);
    return url && url + nonce;
  };
  const signed = (interview: HireflixInterview) => ({
    ...interview,
    thumbnail: sign(interview.thumbnail),
    questions: interview.questions?.map(({ answer, ...question }) => ({
      ...question,
      answer: answer && {
        ...answer,
        url: isUnencoded ? null : sign(answer.url),
        encoded: isUnencoded ? false : answer.encoded,
      },
    })),
  });
  const page = (id: string, { limit, lastCursor }: { limit: number; lastCursor?: string | null }) => {
    const endless = faults.take('endless');
    const { results, ...rest } = endless
      ? endlessPage(endless, limit, Number(lastCursor ?? 0))
      : hireflix.page(id, limit, lastCursor ?? null);
    return { ...rest, results: results.map(signed) };
  };
  return {
    positions: () => HIREFLIX_POSITIONS,
    position: ({ id }: { id: string }) => {
      const position = HIREFLIX_POSITIONS.find((known) => known.id === id);
      return position
        ? {
            ...position,
            interviewList: ({ pagination }: { pagination: Parameters<typeof page>[1] }) => page(id, pagination),
          }
        : null;
    },
    interview: ({ id }: { id: string }) => {
      const interview = hireflix.find(id);
      return interview && signed(interview);
    },
  };
}

/** The cursor is the number of the interviews before a page. */
function endlessPage(fault: FaultOf<'endless'>, limit: number, offset: number) {
  const createdAt = Date.UTC(2026, 0, 1);
  const results = endlessItems(fault, { offset, limit }).map(({ id, text }): HireflixInterview => {
    const answer = { id: `${id}_a`, url: `${HIREFLIX_MEDIA}/generated/10/${id}.mp4`, encoded: true };
    const questions = [{ id: 'q_1', title: 'Why?', description: text, answered: createdAt, answer }];
    return { id, status: 'completed', createdAt, completedAt: createdAt, questions };
  });
  const end = fault.repeats === 0 ? offset + limit : (offset + limit) % (fault.repeats * limit);
  return { results, lastCursor: String(end), count: limit, total: fault.total };
}

/**
 * `/hireflix-media/{interviewId}/{file}`, `/hireflix-media/generated/{bytes}/{name}.mp4`, and
 * `/hireflix-media/short/{bytes}/{name}.mp4`, a recording of 1.5 seconds with this many bytes.
 */
const COMMITTED = /^\/hireflix-media\/[^/]+\/([^/]+)$/;
const GENERATED = /^\/hireflix-media\/(generated|short)\/(\d+)\/([^/]+)\.mp4$/;

/** Signed URLs of recordings and thumbnails. They accept GET only. */
export const hireflixMediaMount = ({ hireflix }: HireflixParts): Mount => ({
  name: 'media',
  prefix: HIREFLIX_MEDIA,
  async handle(exchange) {
    const { method, path, query } = exchange;
    const [, kind, bytes, name = ''] = GENERATED.exec(path) ?? [];
    const head = kind === 'short' ? committedFile('short-answer.mp4') : undefined;
    const source = bytes ? generatedVideo(name, Number(bytes), head) : committedFile(COMMITTED.exec(path)?.[1] ?? '');
    if (method !== 'GET' || !source || !hireflix.isSigned(path, query))
      return exchange.send(403, 'application/xml', Buffer.from('<Error><Code>AccessDenied</Code></Error>'));
    await sendFile(exchange, source);
  },
});
