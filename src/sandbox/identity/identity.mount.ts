import type { IncomingMessage } from 'node:http';
import type { Exchange } from '#sandbox/http/exchange.ts';
import type { Mount } from '#sandbox/http/mount.ts';
import { escaped, sendPage } from '#sandbox/http/page.ts';
import { IDENTITY_PREFIX, type IdentityProviderParts } from './identity-provider.ts';
import type { SandboxPerson } from './people.ts';
import { tamperWith } from './tampering.ts';

const PAGE = new RegExp(`^${IDENTITY_PREFIX}/people/([\\w-]+)$`);

/** The company's own sign-in (OpenID Connect), with a page of people instead of passwords. */
export const identityMount = (parts: IdentityProviderParts): Mount => ({
  name: 'identity',
  prefix: IDENTITY_PREFIX,
  async handle(exchange) {
    const { path, query } = exchange;
    if (path === `${IDENTITY_PREFIX}/signed-out`) return await signOut(parts, exchange);
    if (PAGE.test(path)) return await choosePerson(parts, exchange);
    if (path === `${IDENTITY_PREFIX}/auth`) {
      parts.state.productOrigin = URL.parse(query.get('redirect_uri') ?? '')?.origin ?? null;
      // Always shows the page: a demonstration changes the person.
      if (!query.has('prompt')) exchange.request.url += '&prompt=login';
    }
    if (path.startsWith(`${IDENTITY_PREFIX}/auth`)) forgetSession(exchange.request);
    await serveProtocol(parts, exchange);
  },
});

/** Otherwise the provider asks to sign out the former person first. */
function forgetSession({ headers }: IncomingMessage): void {
  headers.cookie = (headers.cookie ?? '')
    .split('; ')
    .filter((cookie) => !cookie.startsWith('_session'))
    .join('; ');
}

async function serveProtocol({ open, state }: IdentityProviderParts, { request, response, path }: Exchange) {
  const { provider, keys } = await open();
  if (state.tampering && path === `${IDENTITY_PREFIX}/token`) tamperWith(response, keys, state.tampering);
  Object.assign(request, { originalUrl: request.url, url: request.url?.slice(IDENTITY_PREFIX.length) || '/' });
  await provider.callback()(request, response);
}

async function choosePerson({ open, state }: IdentityProviderParts, exchange: Exchange): Promise<void> {
  const chosen = exchange.query.get('person');
  if (chosen === null) return sendPage(exchange, { title: 'Sandbox: sign in', body: pageOf(state.people) });
  const { provider } = await open();
  const result =
    chosen === ''
      ? { error: 'access_denied', error_description: 'The person has canceled' }
      : { login: { accountId: chosen } };
  await provider.interactionFinished(exchange.request, exchange.response, result, {
    mergeWithLastSubmission: false,
  });
}

const pageOf = (people: readonly SandboxPerson[]): string =>
  `<p>Choose a person. No password is needed here.</p><ul style="list-style: none; padding: 0">${people
    .map(
      ({ id, name, email, note }) =>
        `<li style="margin: 1rem 0"><a class="button" href="?person=${encodeURIComponent(id)}">${escaped(name)}</a> ${escaped(email)}<br><span class="note">${escaped(note)} <a href="${IDENTITY_PREFIX}/signed-out?person=${encodeURIComponent(id)}">Sign out everywhere</a></span></li>`,
    )
    .join('')}</ul><p><a href="?person=">Cancel</a></p>`;

/** Notifies the product that all sessions of the person have ended. */
async function signOut(parts: IdentityProviderParts, exchange: Exchange): Promise<void> {
  const { productOrigin, people } = parts.state;
  const person = people.find(({ id }) => id === exchange.query.get('person'));
  if (!person || !productOrigin)
    return sendPage(exchange, {
      status: 404,
      title: 'No one to sign out',
      body: '<p>Sign in to the product first.</p>',
    });
  const { status } = await fetch(`${productOrigin}/api/login/oidc/back-channel`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: await parts.logoutToken({ sub: person.id }) }),
  });
  sendPage(exchange, {
    title: `${person.name} is signed out`,
    body: `<p>The product was told to end all sessions, and responded with ${status}.</p><p><a href="${escaped(productOrigin)}">Back to the product</a></p>`,
  });
}
