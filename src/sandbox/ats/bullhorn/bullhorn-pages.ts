import type { Exchange } from '#sandbox/http/exchange.ts';
import { escaped, sendPage } from '#sandbox/http/page.ts';
import type { BullhornStore, Row } from './bullhorn-store.ts';
import { BULLHORN_CLIENT, type BullhornTokens } from './bullhorn-tokens.ts';

/** The page with the terms. Its two links return to the program that requested the permission. */
export function respondToConsent(exchange: Exchange, tokens: BullhornTokens) {
  const { query } = exchange;
  const redirectUri = query.get('redirect_uri') ?? '';
  const isRight = query.get('client_id') === BULLHORN_CLIENT.clientId && query.get('response_type') === 'code';
  if (!isRight || !URL.canParse(redirectUri))
    return sendPage(exchange, { status: 400, title: 'Invalid client', body: '<p>Check the client ID.</p>' });
  const decision = query.get('sandbox_decision');
  if (decision === null) return askForConsent(exchange);
  const back = new URL(redirectUri);
  if (query.get('state')) back.searchParams.set('state', query.get('state') ?? '');
  if (decision === 'allow') back.searchParams.set('code', tokens.grant(redirectUri));
  else back.searchParams.set('error', 'access_denied');
  exchange.send(302, 'text/html; charset=utf-8', Buffer.from(''), { location: back.href });
}

function askForConsent(exchange: Exchange): void {
  const link = (decision: string) => {
    const query = new URLSearchParams(exchange.query);
    query.set('sandbox_decision', decision);
    return escaped(`?${query}`);
  };
  sendPage(exchange, {
    title: 'Sandbox: terms of Bullhorn',
    body: `<p>A program wants to act as <b>${escaped(BULLHORN_CLIENT.username)}</b>.</p>
<p><a class="button" href="${link('allow')}">Agree</a> <a href="${link('deny')}">Disagree</a></p>`,
  });
}

/** The page of a job or a candidate with its notes. Bullhorn shows the HTML of notes. */
export function sendRecord(exchange: Exchange, store: BullhornStore) {
  const entity = exchange.query.get('Entity') ?? '';
  const row = store.find(entity, Number(exchange.query.get('id')));
  if (!row) return sendPage(exchange, { status: 404, title: 'Not found', body: '<p>Check the link.</p>' });
  const isAbout = ({ jobOrder, personReference, isDeleted }: Row) =>
    !isDeleted && ((entity === 'JobOrder' ? jobOrder : personReference) as Row | undefined)?.id === row.id;
  const notes = (store.rows('Note') ?? []).filter(isAbout);
  sendPage(exchange, {
    title: String(row.title ?? row.name),
    body: `<p class="note">The sandbox shows this page instead of Bullhorn.</p>
${notes.map(({ action, comments }) => `<h2>${escaped(String(action))}</h2>${comments}`).join('') || '<p>No notes.</p>'}`,
  });
}
