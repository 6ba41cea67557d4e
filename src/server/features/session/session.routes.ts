import { changePassword, getUser, login, loginHint, logout, logoutEverywhere } from '#contracts/session.ts';
import type { App } from '../../http/app.ts';
import { route } from '../../http/route.ts';
import { signedInUser } from '../../http/session-guard.ts';
import { callerOf, replaceCookie } from './caller-of.ts';
import { clientAddress } from './client-address.ts';
import { secondFactorRoutes } from './second-factor/second-factor.routes.ts';
import type { Sessions } from './session.service.ts';
import { clearSessionCookie, readToken, setSessionCookie } from './session-cookie.ts';

export function sessionRoutes(app: App, sessions: Sessions): void {
  secondFactorRoutes(app, sessions);

  route(app, getUser, (_input, { request }) => {
    const { accountId, username } = signedInUser(request);
    return { id: accountId, username };
  });

  route(app, login, async ({ body }, { request, reply }) => {
    const from = { address: clientAddress(request), oldToken: readToken(request) };
    const session = await sessions.signIn(body, from);
    setSessionCookie(request, reply, session.cookie);
    return session.user;
  });

  route(app, logout, async (_input, { request, reply }) => {
    await sessions.signOut(readToken(request));
    clearSessionCookie(request, reply);
    return { message: 'Signed out' };
  });

  route(app, logoutEverywhere, async (_input, { request, reply }) => {
    await sessions.signOutEverywhere(signedInUser(request));
    clearSessionCookie(request, reply);
    return { message: 'Signed out everywhere' };
  });

  route(app, changePassword, async ({ body }, exchange) => {
    replaceCookie(sessions, await sessions.changePassword(body, callerOf(exchange.request)), exchange);
    return { message: 'The password was changed' };
  });

  route(app, loginHint, async (_input, { request }) => ({
    ...(await sessions.loginHint()),
    signedIn: await sessions.isSignedIn(request),
  }));
}
