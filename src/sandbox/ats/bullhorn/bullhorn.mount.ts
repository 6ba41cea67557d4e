import { text } from 'node:stream/consumers';
import { sendSlowly } from '#sandbox/ats/send-slowly.ts';
import type { Exchange } from '#sandbox/http/exchange.ts';
import type { Mount } from '#sandbox/http/mount.ts';
import { CALLS, Refusal } from './bullhorn-calls.ts';
import { respondToConsent, sendRecord } from './bullhorn-pages.ts';
import { QueryError } from './bullhorn-query.ts';
import type { BullhornStore } from './bullhorn-store.ts';
import { BULLHORN_CLIENT, type BullhornTokens } from './bullhorn-tokens.ts';

/** The value for `BULLHORN_LOGIN_URL`, without the origin. */
export const BULLHORN_PREFIX = '/bullhorn';
/** The data center to which the first one redirects on request. */
const OTHER_DATA_CENTER = '/west';
const CORPORATION = 'e999';

export interface BullhornParts {
  origin: string;
  bullhorn: { store: BullhornStore; tokens: BullhornTokens };
}

const ROUTES = Object.entries(CALLS).map(([route, call]) => {
  const [method, path] = route.split(' ');
  return { method, pattern: new RegExp(`^/rest-services/${CORPORATION}/${path}$`), call };
});

type Handler = (parts: BullhornParts, exchange: Exchange) => Promise<void> | void;

/** The calls and pages without a session. */
const OPEN: Record<string, Handler> = {
  'GET /rest-services/loginInfo': sendLoginInfo,
  'GET /oauth/authorize': ({ bullhorn }, exchange) => respondToConsent(exchange, bullhorn.tokens),
  'POST /oauth/token': sendTokens,
  'GET /rest-services/login': signIn,
  'GET /BullhornSTAFFING/OpenWindow.cfm': ({ bullhorn }, exchange) => sendRecord(exchange, bullhorn.store),
};

/** Bullhorn's sign-in, REST interface, and the pages of its records. */
export const bullhornMount = (parts: BullhornParts): Mount => ({
  name: 'bullhorn',
  prefix: BULLHORN_PREFIX,
  async handle(exchange) {
    const { faults } = exchange;
    const below = exchange.path.slice(BULLHORN_PREFIX.length);
    const isOther = below.startsWith(`${OTHER_DATA_CENTER}/`);
    const mayRedirect = !isOther || faults.find('bullhorn-other-data-center')?.isEndless;
    if (mayRedirect && faults.take('bullhorn-other-data-center')) return redirect(parts, exchange);
    const fault = faults.take('ats-body');
    if (fault) return exchange.send(200, fault.contentType, Buffer.from(fault.body.repeat(fault.repeats)));
    const path = isOther ? below.slice(OTHER_DATA_CENTER.length) : below;
    const open = OPEN[`${exchange.method} ${path}`];
    if (open) return open(parts, exchange);
    await respond(parts, path, exchange);
  },
});

function redirect({ origin }: BullhornParts, exchange: Exchange): void {
  const location = `${origin}${BULLHORN_PREFIX}${OTHER_DATA_CENTER}`;
  const rest = (exchange.request.url ?? '').slice(BULLHORN_PREFIX.length);
  exchange.send(307, 'text/plain', Buffer.from('Another data center'), { location: location + rest });
}

function sendLoginInfo({ origin }: BullhornParts, exchange: Exchange) {
  if (exchange.query.get('username') !== BULLHORN_CLIENT.username) return refuse(exchange, 400, 'Unknown username.');
  const base = `${origin}${BULLHORN_PREFIX}`;
  exchange.json(200, { oauthUrl: `${base}/oauth`, restUrl: `${base}/rest-services/`, superClusterId: 1 });
}

async function sendTokens({ bullhorn: { tokens } }: BullhornParts, exchange: Exchange): Promise<void> {
  const form = new URLSearchParams(await text(exchange.request));
  const value = (name: string) => form.get(name) ?? '';
  const isKnown =
    value('client_id') === BULLHORN_CLIENT.clientId && value('client_secret') === BULLHORN_CLIENT.clientSecret;
  if (!isKnown) return exchange.json(401, { error: 'invalid_client', error_description: 'Bad client credentials' });
  const issued =
    value('grant_type') === 'authorization_code'
      ? tokens.exchangeCode(value('code'), value('redirect_uri'))
      : tokens.renew(value('refresh_token'));
  if (exchange.faults.take('ats-response-lost')) return exchange.reset();
  if (issued) return exchange.json(200, issued);
  exchange.json(400, { error: 'invalid_grant', error_description: 'Invalid, expired, or revoked token.' });
}

function signIn({ origin, bullhorn }: BullhornParts, exchange: Exchange) {
  const BhRestToken = bullhorn.tokens.signIn(exchange.query.get('access_token') ?? '');
  if (!BhRestToken) return refuse(exchange, 400, 'Invalid or expired OAuth access token.');
  exchange.json(200, { BhRestToken, restUrl: `${origin}${BULLHORN_PREFIX}/rest-services/${CORPORATION}/` });
}

async function respond({ bullhorn }: BullhornParts, path: string, exchange: Exchange): Promise<void> {
  const { store, tokens } = bullhorn;
  const { faults } = exchange;
  const { bhresttoken: token } = exchange.request.headers;
  if (token === undefined) return refuse(exchange, 412, 'Missing BhRestToken.');
  if (!tokens.isSession(String(token))) return refuse(exchange, 401, "Bad 'BhRestToken' or timed-out.");
  const route = ROUTES.find(({ method, pattern }) => method === exchange.method && pattern.test(path));
  if (!route) return refuse(exchange, 404, "The sandbox doesn't simulate this call.");
  store.indexDelayMs = faults.find('ats-index-lags')?.ms ?? 0;
  try {
    const parts = (route.pattern.exec(path) ?? []).slice(1);
    const result = await route.call({ store, exchange, parts });
    if (exchange.method !== 'GET' && faults.take('ats-response-lost')) return exchange.reset();
    await sendSlowly(exchange, faults.take('ats-slow'), { status: 200, body: result });
  } catch (error) {
    if (error instanceof Refusal) return refuse(exchange, error.status, error.message);
    if (error instanceof QueryError || error instanceof SyntaxError) return refuse(exchange, 400, error.message);
    throw error;
  }
}

const refuse = (exchange: Exchange, errorCode: number, errorMessage: string): void =>
  exchange.json(errorCode, { errorMessage, errorMessageKey: 'errors.sandbox', errorCode });
