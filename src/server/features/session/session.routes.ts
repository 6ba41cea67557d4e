import { finished } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  beginRequiredFactor,
  beginSecondFactor,
  confirmRequiredFactor,
  confirmSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from '#contracts/second-factor.ts';
import {
  changePassword,
  getLoginHint,
  getUser,
  listDevices,
  login,
  logout,
  logoutEverywhere,
  replaceDefaultPassword,
  signOutDevice,
} from '#contracts/session.ts';
import type { App } from '#server/http/app.ts';
import { clientAddress } from '#server/http/client-address.ts';
import { clearSessionCookie, readToken, setSessionCookie } from '#server/http/guards/session-cookie.ts';
import { signedInUser } from '#server/http/guards/session-guard.ts';
import { type RouteContext, route } from '#server/http/route.ts';
import { viewUser } from './accounts/accounts.view.ts';
import type { Sessions } from './session.service.ts';
import type { Caller } from './sessions/caller.ts';
import { describeDevice } from './sessions/device.ts';
import type { SessionCookie } from './sessions/session-token.ts';
import type { SignInOrigin } from './sign-in/sign-in.ts';
import type { SignInService } from './sign-in.service.ts';

export function sessionRoutes(app: App, sessions: Sessions, services: SignInService): void {
  const { signIn, defaultPassword, loginHint, expectPasswordAllowed, isPasswordHidden, oidc } = services;
  ownAccountRoutes(app, sessions, services);
  secondFactorRoutes(app, sessions, services);

  route(app, getUser, (_input, { request }) => viewUser(signedInUser(request)));

  route(app, login, async ({ body }, { request, reply }) => {
    expectPasswordAllowed(body.username);
    const { user, cookie } = await signIn.signIn(body, originOf(request));
    setSessionCookie(request, reply, cookie);
    return user;
  });

  route(app, replaceDefaultPassword, async ({ body }, { request }) => {
    expectPasswordAllowed(body.username);
    await defaultPassword.replace(body, clientAddress(request));
    return { message: 'Password changed' };
  });

  route(app, logout, async (_input, { request, reply }) => {
    await sessions.signOut(readToken(request));
    clearBrowser(request, reply);
    return { message: 'Signed out' };
  });

  route(app, logoutEverywhere, async (_input, { request, reply }) => {
    await sessions.signOutEverywhere(signedInUser(request));
    clearBrowser(request, reply);
    return { message: 'Signed out everywhere' };
  });

  route(app, getLoginHint, async (_input, { request }) => ({
    defaultCredentials: isPasswordHidden ? null : await loginHint.findShownCredentials(),
    signedIn: await sessions.isActive(readToken(request)),
    oidc: oidc && { name: oidc.name },
    isPasswordHidden,
  }));
}

function ownAccountRoutes(app: App, sessions: Sessions, { ownPassword, ownDevices }: SignInService): void {
  route(app, changePassword, async ({ body }, exchange) => {
    const cookie = await ownPassword.changePassword(body, callerOf(exchange.request));
    replaceCookie(sessions, cookie, exchange);
    return { message: 'Password changed' };
  });

  route(app, listDevices, (_input, { request }) => ownDevices.list(callerOf(request)));

  route(app, signOutDevice, async ({ params }, { request }) => {
    await ownDevices.signOut(params.id, callerOf(request));
    return { message: 'Signed out' };
  });
}

function secondFactorRoutes(app: App, sessions: Sessions, services: SignInService): void {
  const { ownSecondFactor, requiredSetup, expectPasswordAllowed } = services;
  route(app, getSecondFactor, (_input, { request }) => ownSecondFactor.read(signedInUser(request)));

  route(app, beginSecondFactor, ({ body }, { request }) => ownSecondFactor.beginSetup(body, callerOf(request)));

  route(app, confirmSecondFactor, async ({ body }, exchange) => {
    const { cookie, recoveryCodes } = await ownSecondFactor.confirmSetup(body.code, callerOf(exchange.request));
    replaceCookie(sessions, cookie, exchange);
    return { recoveryCodes };
  });

  route(app, renewRecoveryCodes, ({ body }, { request }) =>
    ownSecondFactor.renewRecoveryCodes(body, callerOf(request)),
  );

  route(app, turnOffSecondFactor, async ({ body }, exchange) => {
    replaceCookie(sessions, await ownSecondFactor.turnOff(body, callerOf(exchange.request)), exchange);
    return { message: 'Two-factor sign-in is off' };
  });

  route(app, beginRequiredFactor, ({ body }, { request }) => {
    expectPasswordAllowed(body.username);
    return requiredSetup.beginSetup(body, clientAddress(request));
  });

  route(app, confirmRequiredFactor, async ({ body }, { request, reply }) => {
    expectPasswordAllowed(body.username);
    const { cookie, recoveryCodes, user } = await requiredSetup.confirmSetup(body, originOf(request));
    setSessionCookie(request, reply, cookie);
    return { recoveryCodes, user };
  });
}

/**
 * Deletes the cookie, what browsers cached, and pages that the back button would show. Browsers
 * honor `Clear-Site-Data` over HTTPS and on loopback addresses only. The pages delete drafts
 * themselves, so that theme and layout stay.
 */
function clearBrowser(request: FastifyRequest, reply: FastifyReply): void {
  clearSessionCookie(request, reply);
  reply.header('clear-site-data', '"cache"');
}

export const originOf = (request: FastifyRequest): SignInOrigin => ({
  address: clientAddress(request),
  device: describeDevice(request.headers['user-agent']),
  oldToken: readToken(request),
});

const callerOf = (request: FastifyRequest): Caller => ({
  signedIn: signedInUser(request),
  token: readToken(request) ?? '',
  address: clientAddress(request),
  device: describeDevice(request.headers['user-agent']),
});

/** Ends the old session after the new cookie was sent: until then other tabs stay signed in. */
function replaceCookie(sessions: Sessions, cookie: SessionCookie, { request, reply }: RouteContext): void {
  const oldToken = readToken(request) ?? '';
  setSessionCookie(request, reply, cookie);
  finished(reply.raw, () => {
    sessions.endReplaced(oldToken).catch((error) => request.log.error(error, 'Ending a replaced session failed'));
  });
}
