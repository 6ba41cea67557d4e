import { describe, expect, test } from 'vitest';
import { listDevices, login, signOutDevice } from '#contracts/session.ts';
import { type Person, refusal } from '#support/call.ts';
import { announcementsReceived, type SessionApp, startSessionApp } from '#support/session-app.ts';

const ADMIN = { username: 'admin', password: 'admin123' };
const MINUTE_MS = 60_000;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

async function signIn(app: SessionApp, userAgent = FIREFOX, from = '203.0.113.5', credentials = ADMIN) {
  const person = app.anonymous();
  const headers = { 'user-agent': userAgent, 'x-forwarded-for': from };
  await person.request({ method: 'POST', url: login.path, body: credentials, headers });
  return person;
}

const isSignedIn = async (person: Person, from = '203.0.113.5') => {
  const headers = { 'x-forwarded-for': from };
  return (await person.request({ method: 'GET', url: '/api/user', headers })).statusCode === 200;
};

async function devicesOf(person: Person, from = '203.0.113.5') {
  const headers = { 'x-forwarded-for': from };
  return listDevices.response.parse((await person.request({ method: 'GET', url: listDevices.path, headers })).json());
}

describe('the signed-in devices', () => {
  test('the signed-in devices are listed with browser, system, address, sign-in and last use, the last used one first', async () => {
    const app = await startSessionApp();
    const desk = await signIn(app);
    const signedInAt = new Date(app.clock.now).toISOString();
    app.clock.pass(10 * MINUTE_MS);
    await signIn(app, IPHONE, '2001:db8:1:2::9');
    const later = new Date(app.clock.now).toISOString();
    app.clock.pass(10 * MINUTE_MS);
    expect(await devicesOf(desk)).toMatchObject([
      { device: 'Firefox on Linux', address: '203.0.113.5', signedInAt, isCurrent: true },
      {
        device: 'Safari on iPhone',
        address: '2001:db8:1:2::/64',
        signedInAt: later,
        lastUsedAt: later,
        isCurrent: false,
      },
    ]);
  });

  test('show the address of the last use', async () => {
    const app = await startSessionApp();
    const desk = await signIn(app);
    app.clock.pass(2 * MINUTE_MS);
    expect(await isSignedIn(desk, '198.51.100.7')).toBe(true);
    expect(await devicesOf(desk, '198.51.100.7')).toMatchObject([{ address: '198.51.100.7', isCurrent: true }]);
  });

  test('contain neither sessions of others nor those that have ended', async () => {
    const app = await startSessionApp();
    await app.accounts.add({ username: 'ann', password: 'ann password' });
    const ann = await signIn(app, IPHONE, '203.0.113.9', { username: 'ann', password: 'ann password' });
    await signIn(app);
    app.clock.pass(13 * 60 * MINUTE_MS);
    const desk = await signIn(app);
    expect(await devicesOf(desk)).toHaveLength(1);
    expect(await isSignedIn(ann)).toBe(false);
  });

  test('the signed-in devices are signed out one by one, in every process, which is logged', async () => {
    const here = await startSessionApp();
    const there = await startSessionApp({ beside: here });
    const [desk, laptop] = [await signIn(here), await signIn(here)];
    const phone = await signIn(there, IPHONE, '198.51.100.7');
    expect(await isSignedIn(phone, '198.51.100.7')).toBe(true);
    const id = (await devicesOf(desk)).find(({ device }) => device === 'Safari on iPhone')?.id ?? 0;
    await desk.call(signOutDevice, { params: { id } });
    await announcementsReceived(there);
    expect([await isSignedIn(phone), await isSignedIn(laptop), await isSignedIn(desk)]).toEqual([false, true, true]);
    expect((await devicesOf(desk)).map(({ device }) => device)).toEqual(['Firefox on Linux', 'Firefox on Linux']);
    expect((await refusal(desk.call(signOutDevice, { params: { id } }))).status).toBe(404);
    const [entry] = await here.db.selectFrom('log_entry').selectAll().where('action', '=', 'sign-out').execute();
    expect(entry).toMatchObject({
      summary: 'admin signed out a device: Safari on iPhone.',
      metadata: { device: 'Safari on iPhone', deviceAddress: '198.51.100.7' },
    });
  });

  test('the signed-in devices of another account cannot be signed out', async () => {
    const app = await startSessionApp();
    await app.accounts.add({ username: 'ann', password: 'ann password' });
    const desk = await signIn(app);
    const ann = await signIn(app, IPHONE, '203.0.113.9', { username: 'ann', password: 'ann password' });
    const [device] = await devicesOf(ann, '203.0.113.9');
    expect((await refusal(desk.call(signOutDevice, { params: { id: device?.id ?? 0 } }))).status).toBe(404);
    expect(await isSignedIn(ann, '203.0.113.9')).toBe(true);
  });
});
