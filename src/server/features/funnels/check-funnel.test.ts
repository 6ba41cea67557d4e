import { beforeAll, expect, test } from 'vitest';
import { checkFunnel, listPositions } from '#contracts/funnels.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { createEvents } from '#server/compose-events.ts';
import { Accounts } from '#server/features/session/accounts/accounts.service.ts';
import { type Person, refusal } from '#support/call.ts';
import { startApp } from '#support/start-app.ts';

const cleanup = new AsyncDisposableStack();
let sandbox: Sandbox;
let recruiter: Person;
beforeAll(async () => {
  sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const onFinished = (clear: () => Promise<void>) => cleanup.defer(clear);
  const product = await startApp({ env: productVariables(sandbox), jobs: false, onFinished });
  recruiter = await product.signedIn();
  return () => cleanup.disposeAsync();
});

const rest = () => ({ source: 'rest' as const, apiKey: sandbox.funnels[0]?.apiKey ?? '', funnelId: 'engineering' });
const check = (part: object = {}) => recruiter.call(checkFunnel, { body: { ...rest(), ...part } });

test('a check reports the name of the funnel at the service and its number of interviews', async () => {
  expect(await check()).toEqual({ name: 'engineering', interviews: 40 });
});

test('positions of Hireflix and forms of VideoAsk are listed, and checked by their names', async () => {
  const { hireflix, videoask } = sandbox;
  const named = async (access: { source: 'hireflix' | 'videoask'; apiKey: string }) => {
    const { positions } = await recruiter.call(listPositions, { body: access });
    const [first] = positions ?? [];
    return [positions?.length, await check({ ...access, funnelId: first?.id ?? '' })];
  };
  expect(await named({ source: 'hireflix', apiKey: hireflix.apiKey })).toEqual([
    2,
    { name: 'Product Designer', interviews: 12 },
  ]);
  expect(await named({ source: 'videoask', apiKey: videoask.organization })).toEqual([
    1,
    { name: 'Barista', interviews: 8 },
  ]);
});

test('a service without a list of positions returns null', async () => {
  expect(await recruiter.call(listPositions, { body: { source: 'rest', apiKey: 'key' } })).toEqual({ positions: null });
});

test('a refusal of the service is a conflict with its reason, and keeps the user signed in', async () => {
  expect(await refusal(check({ apiKey: 'wrong' }))).toMatchObject({
    status: 409,
    body: { message: 'The interview service rejected this API key. Check it and try again.' },
  });
  sandbox.control.fail({ kind: 'status', status: 503 });
  expect(await refusal(check())).toMatchObject({
    status: 409,
    body: { message: 'The interview service returned an error (503). Try again later.' },
  });
});

test('an account tests at most 10 connections a minute, also those that fail', async () => {
  const { signedIn, db } = await startApp({ env: productVariables(sandbox), jobs: false });
  await new Accounts(db, createEvents()).add({ username: 'colleague', password: 'another password' });
  const guesser = await signedIn();
  const body = { source: 'hireflix' as const, apiKey: 'guessed', funnelId: 'position' };
  for (let guess = 0; guess < 5; guess += 1) {
    expect((await refusal(guesser.call(checkFunnel, { body }))).status).toBe(409);
    expect((await refusal(guesser.call(listPositions, { body }))).status).toBe(409);
  }
  const asked = sandbox.requests.counters().requests;
  for (const endpoint of [checkFunnel, listPositions]) {
    const refused = await refusal(guesser.call(endpoint, { body }));
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  }
  expect(sandbox.requests.counters().requests).toBe(asked);
  const colleague = await signedIn('colleague', 'another password');
  expect((await refusal(colleague.call(checkFunnel, { body }))).status).toBe(409);
});
