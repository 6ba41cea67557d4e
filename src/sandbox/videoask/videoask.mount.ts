import { z } from 'zod';
import { endlessItems } from '#sandbox/faults/endless-list.ts';
import type { FaultOf } from '#sandbox/faults/fault.ts';
import { type Exchange, readJson } from '#sandbox/http/exchange.ts';
import type { Mount } from '#sandbox/http/mount.ts';
import { VIDEOASK_CLIENT, VIDEOASK_FORM, VIDEOASK_ORGANIZATION, type VideoAskAnswer } from './initial-videoask.ts';
import type { VideoAskStore } from './videoask-store.ts';

interface VideoAskParts {
  origin: string;
  videoask: VideoAskStore;
}

/** The values for `VIDEOASK_URL` and `VIDEOASK_AUTH_URL`, without the origin. */
export const VIDEOASK_PREFIX = '/videoask';
export const VIDEOASK_AUTH_PREFIX = '/videoask-auth';

const TokenRequest = z.object({
  grant_type: z.literal('refresh_token'),
  client_id: z.literal(VIDEOASK_CLIENT.clientId),
  client_secret: z.literal(VIDEOASK_CLIENT.clientSecret),
  refresh_token: z.literal(VIDEOASK_CLIENT.refreshToken),
});

/** `POST {auth}/oauth/token` */
export const videoaskAuthMount = ({ videoask }: VideoAskParts): Mount => ({
  name: 'videoask-auth',
  prefix: VIDEOASK_AUTH_PREFIX,
  async handle(exchange) {
    const body = TokenRequest.safeParse(await readJson(exchange.request).catch(() => null));
    if (!body.success) return exchange.json(403, { error: 'invalid_grant', error_description: 'Unknown token.' });
    exchange.json(200, { access_token: videoask.issueToken(), expires_in: 900, token_type: 'Bearer' });
  },
});

type Row = Record<string, unknown>;
/** Requests for the details of a contact that one client may make. */
const MAX_DETAILS = 50;

/** VideoAsk's REST interface. */
export function videoaskMount(parts: VideoAskParts): Mount {
  let details = 0;
  const { videoask } = parts;
  return {
    name: 'videoask',
    prefix: VIDEOASK_PREFIX,
    handle(exchange) {
      const { authorization = '', 'organization-id': organization } = exchange.request.headers;
      if (!videoask.isCurrent(authorization.replace(/^Bearer /, '')) || organization !== VIDEOASK_ORGANIZATION)
        return exchange.json(401, { detail: 'Invalid token.' });
      const path = exchange.path.slice(VIDEOASK_PREFIX.length);
      const { faults } = exchange;
      const fault = faults.take('videoask-body');
      if (fault) return exchange.send(200, 'application/json', Buffer.from(fault.body));
      if (/\/contacts\/[^/]+$/.test(path) && ++details > MAX_DETAILS)
        return exchange.json(429, { detail: 'Request was throttled.' }, { 'retry-after': '300' });
      const endless = isList(path) && faults.take('endless');
      const isTranscoding = faults.take('not-transcoded') !== null;
      const found = endless ? endlessPage(endless, path, exchange) : responseTo(parts, path, exchange);
      if (!found) return exchange.json(404, { detail: 'Not found.' });
      send(exchange, isTranscoding ? withoutTranscoding(found) : found);
    },
  };
}

function responseTo(parts: VideoAskParts, path: string, exchange: Exchange): object | null {
  const { videoask } = parts;
  const [, form, contact] = /^\/forms\/([^/]+)(?:\/contacts(?:\/([^/]+))?)?$/.exec(path) ?? [];
  const [, question] = /^\/questions\/([^/]+)\/answers$/.exec(path) ?? [];
  const publicAnswer = (row: VideoAskAnswer) => ({ ...row, media_url: absolute(parts, row.media_url) });
  if (path === '/forms') return { results: [{ form_id: VIDEOASK_FORM.form_id, title: VIDEOASK_FORM.title }] };
  if (question)
    return pageOf(videoask.answers.filter(({ question_id }) => question_id === question).map(publicAnswer), exchange);
  if (form !== VIDEOASK_FORM.form_id) return null;
  if (path.endsWith(`/${form}`)) return VIDEOASK_FORM;
  const listed = videoask.contacts.map((row) => ({ ...row, thumbnail: absolute(parts, row.thumbnail) }));
  if (contact) {
    const row = listed.find(({ contact_id }) => contact_id === contact);
    const answers = videoask.answers.filter(({ contact_id }) => contact_id === contact).map(publicAnswer);
    return row ? { ...row, answers } : null;
  }
  const status = exchange.query.get('status');
  return pageOf(
    listed.filter((row) => status === null || row.status === status),
    exchange,
  );
}

function pageOf(rows: readonly Row[], { query }: Exchange): object {
  const [limit, offset] = [Number(query.get('limit') ?? '20'), Number(query.get('offset') ?? '0')];
  const end = offset + limit;
  const next = end < rows.length ? `https://api.videoask.example/?limit=${limit}&offset=${end}` : null;
  return { count: rows.length, next, previous: null, results: rows.slice(offset, end) };
}

const isList = (path: string) => /\/(contacts|answers)$/.test(path);

function endlessPage(fault: FaultOf<'endless'>, path: string, { query }: Exchange): object {
  const place = { limit: Number(query.get('limit')), offset: Number(query.get('offset')) };
  const results = endlessItems(fault, place).map(({ id, text }) =>
    path.endsWith('/contacts')
      ? { contact_id: id, name: text.slice(0, 100), status: 'completed' }
      : { answer_id: `${id}_a`, contact_id: id, type: 'text', input_text: text },
  );
  return { count: fault.total, next: 'https://api.videoask.example/', previous: null, results };
}

const absolute = ({ origin }: VideoAskParts, path: string | null | undefined) =>
  path?.startsWith('/') ? `${origin}${path}` : (path ?? null);

const withoutTranscoding = (found: object): object =>
  JSON.parse(JSON.stringify(found, (key, value) => (key === 'transcode_status' ? 'processing' : value)));

/** Bodies contain raw control characters, as the service's bodies do. */
function send(exchange: Exchange, body: object): void {
  const text = JSON.stringify(body).replaceAll('\\u0001', '\u0001');
  exchange.send(200, 'application/json', Buffer.from(text));
}
