import {
  beginRequiredFactor,
  beginSecondFactor,
  confirmRequiredFactor,
  confirmSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from '#contracts/second-factor.ts';
import type { App } from '../../../http/app.ts';
import { route } from '../../../http/route.ts';
import { signedInUser } from '../../../http/session-guard.ts';
import { callerOf, replaceCookie } from '../caller-of.ts';
import { clientAddress } from '../client-address.ts';
import type { Sessions } from '../session.service.ts';
import { readToken, setSessionCookie } from '../session-cookie.ts';

export function secondFactorRoutes(app: App, sessions: Sessions): void {
  const { secondFactors } = sessions;

  route(app, getSecondFactor, (_input, { request }) => secondFactors.read(signedInUser(request)));

  route(app, beginSecondFactor, ({ body }, { request }) => secondFactors.begin(body, callerOf(request)));

  route(app, confirmSecondFactor, async ({ body }, exchange) => {
    const { cookie, recoveryCodes } = await secondFactors.confirm(body.code, callerOf(exchange.request));
    replaceCookie(sessions, cookie, exchange);
    return { recoveryCodes };
  });

  route(app, renewRecoveryCodes, ({ body }, { request }) => secondFactors.renewRecoveryCodes(body, callerOf(request)));

  route(app, turnOffSecondFactor, async ({ body }, exchange) => {
    replaceCookie(sessions, await secondFactors.turnOff(body, callerOf(exchange.request)), exchange);
    return { message: 'The second factor is off' };
  });

  route(app, beginRequiredFactor, ({ body }, { request }) => secondFactors.beginRequired(body, clientAddress(request)));

  route(app, confirmRequiredFactor, async ({ body }, { request, reply }) => {
    const from = { address: clientAddress(request), oldToken: readToken(request) };
    const { cookie, recoveryCodes, user } = await secondFactors.confirmRequired(body, from);
    setSessionCookie(request, reply, cookie);
    return { recoveryCodes, user };
  });
}
