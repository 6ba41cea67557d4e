import { text } from 'node:stream/consumers';
import type { Exchange } from '#sandbox/http/exchange.ts';
import { escaped, sendPage } from '#sandbox/http/page.ts';
import type { GoogleParts } from './google-parts.ts';
import { CHANNEL_TITLE, SANDBOX_CLIENT } from './tokens.ts';

/**
 * A program on the user's machine. Google refuses any other address for a client of type Desktop
 * app.
 */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/;

/** The consent page. Its two links lead back to the program that requested the permission. */
export function handleConsent({ tokens }: GoogleParts, exchange: Exchange) {
  const { query, path } = exchange;
  const problem = problemOf(query);
  if (problem) return sendPage(exchange, { status: 400, title: 'Access blocked', body: `<p>${escaped(problem)}</p>` });
  const decision = query.get('sandbox_decision');
  if (decision === null) return askForConsent(exchange);

  const back = new URL(query.get('redirect_uri') ?? '');
  if (query.get('state')) back.searchParams.set('state', query.get('state') ?? '');
  if (decision === 'allow') {
    const code = tokens.grant({
      redirectUri: query.get('redirect_uri') ?? '',
      challenge: query.get('code_challenge') ?? '',
      isOffline: query.get('access_type') === 'offline',
      scope: query.get('scope') ?? '',
    });
    back.searchParams.set('code', code);
    back.searchParams.set('scope', query.get('scope') ?? '');
  } else back.searchParams.set('error', 'access_denied');
  exchange.send(302, 'text/html; charset=utf-8', Buffer.from(path), { location: back.href });
}

function problemOf(query: URLSearchParams): string | null {
  if (query.get('client_id') !== SANDBOX_CLIENT.clientId)
    return 'Error 401: invalid_client. The OAuth client was not found.';
  if (query.get('response_type') !== 'code') return 'Error 400: response_type must be code.';
  if (!LOOPBACK.test(query.get('redirect_uri') ?? '')) return 'Error 400: redirect_uri_mismatch.';
  if (query.has('code_challenge') && query.get('code_challenge_method') !== 'S256')
    return 'Error 400: code_challenge_method must be S256.';
  return query.get('scope') ? null : 'Error 400: Missing required parameter: scope.';
}

function askForConsent(exchange: Exchange) {
  const link = (decision: string) => {
    const query = new URLSearchParams(exchange.query);
    query.set('sandbox_decision', decision);
    return escaped(`?${query}`);
  };
  const scopes = (exchange.query.get('scope') ?? '').split(' ').map((scope) => `<li>${escaped(scope)}</li>`);
  sendPage(exchange, {
    title: 'Sandbox: sign in with Google',
    body: `<p>A program on this machine wants access to <b>${escaped(CHANNEL_TITLE)}</b>:</p><ul>${scopes.join('')}</ul>
      <p><a class="button" href="${link('allow')}">Allow</a> <a href="${link('deny')}">Cancel</a></p>`,
  });
}

/** Handles calls to the token endpoint. */
export async function handleToken({ tokens }: GoogleParts, exchange: Exchange): Promise<void> {
  const form = new URLSearchParams(await text(exchange.request));
  const refused = (error: string, status = 400) => exchange.json(status, { error, error_description: 'Bad Request' });
  const isKnown =
    form.get('client_id') === SANDBOX_CLIENT.clientId && form.get('client_secret') === SANDBOX_CLIENT.clientSecret;
  if (!isKnown) return refused('invalid_client', 401);
  const fault = exchange.faults.take('token-refused', 'token-lifetime');
  if (fault?.kind === 'token-refused') return refused(fault.error);

  const value = (name: string) => form.get(name) ?? '';
  const issued =
    form.get('grant_type') === 'authorization_code'
      ? tokens.exchangeCode(value('code'), value('redirect_uri'), value('code_verifier'))
      : tokens.renew(value('refresh_token'), fault?.seconds);
  if (!issued) return refused('invalid_grant');
  exchange.json(200, issued);
}
