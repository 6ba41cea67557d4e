import { expect, test } from 'vitest';
import type { ProductProcess } from '#support/start-process.ts';
import { setStage } from './support/stage.ts';

const OWNER = { username: 'admin', password: 'correct horse battery' };
const USUAL_PLACE = '198.51.100.7';
/** Requests of the flood that are open at the same time. */
const CONCURRENCY = 120;
const SIGN_INS = 10;
const MIN_SERVED = 9;
const SIGN_IN_TIMEOUT_MS = 2_000;

type Credentials = typeof OWNER;

test.each([
  ['five IPv4 addresses', (n: number) => `192.0.2.${n % 5}`],
  ['ever new /64 networks of one IPv6 /48', (n: number) => `2001:db8:1:${(n % 65_536).toString(16)}::1`],
])('during a flood of sign-ins from %s, users sign in, within 2 s at their usual place', async (_, addressOf) => {
  const stage = await setStage({ TRUST_PROXY: 'true', ADMIN_PASSWORD: OWNER.password });
  const product = await stage.start();
  expect(await signIn(product, USUAL_PLACE, OWNER)).toBe(200);

  const flood = startFlood(product, addressOf);
  await flood.underWay;
  const served = { atUsualPlace: 0, elsewhere: 0 };
  for (let n = 0; n < SIGN_INS; n += 1) {
    const startedAt = performance.now();
    const status = await signIn(product, USUAL_PLACE, OWNER);
    if (status === 200 && performance.now() - startedAt <= SIGN_IN_TIMEOUT_MS) served.atUsualPlace += 1;
    if ((await signIn(product, `203.0.113.${n}`, OWNER)) === 200) served.elsewhere += 1;
  }
  await flood.stop();
  expect(served.atUsualPlace).toBeGreaterThanOrEqual(MIN_SERVED);
  expect(served.elsewhere).toBeGreaterThanOrEqual(MIN_SERVED);
});

/** Returns the status of the response. */
async function signIn({ origin }: ProductProcess, address: string, credentials: Credentials): Promise<number> {
  const response = await fetch(`${origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(credentials),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Sends wrong passwords for many names. `underWay` resolves when the first were rejected. */
function startFlood(product: ProductProcess, addressOf: (n: number) => string) {
  const underWay = Promise.withResolvers<void>();
  let sent = 0;
  let isStopped = false;
  const sendOn = async () => {
    while (!isStopped) {
      sent += 1;
      const credentials = { username: `name ${sent % 50}`, password: 'wrong' };
      if ((await signIn(product, addressOf(sent), credentials)) === 429) underWay.resolve();
    }
  };
  const senders = Promise.all(Array.from({ length: CONCURRENCY }, sendOn));
  const stop = () => {
    isStopped = true;
    return senders;
  };
  return { underWay: underWay.promise, stop };
}
