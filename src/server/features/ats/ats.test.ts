import { describe, expect, test } from 'vitest';
import { getAts, searchAtsJobs } from '#contracts/ats.ts';
import { getInterview, setDestination } from '#contracts/interviews.ts';
import { getSetup } from '#contracts/setup.ts';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { rotateKeysCommand } from '#server/cli/rotate-keys-command.ts';
import type { Person } from '#support/call.ts';
import { runCommand } from '#support/commands.ts';
import { connectBullhorn } from '#support/connect-bullhorn.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';

async function startWithBullhorn() {
  const sandbox = await startSandbox();
  const product = await startApp({ jobs: false, env: productVariables(sandbox) });
  return { sandbox, product, recruiter: await product.signedIn() };
}

async function startWithLever() {
  const sandbox = await startSandbox();
  const { url, apiKey, user } = sandbox.lever;
  const lever = { LEVER_URL: url, LEVER_API_KEY: apiKey, LEVER_USER: user };
  const product = await startApp({
    jobs: false,
    env: { ...productVariables(sandbox), BULLHORN_USERNAME: '', ...lever },
  });
  return { sandbox, product, recruiter: await product.signedIn() };
}

async function anInterview({ build, db }: TestApp, recruiter: Person): Promise<string> {
  const funnelId = await build.funnel(recruiter);
  await insertInterviews(db, [{ id: 'iv_1', funnelId }]);
  return 'iv_1';
}

const NOT_CONNECTED = { name: 'Bullhorn', state: 'not_configured', account: null };

test('without an applicant tracking system, the state is not_configured, and a search explains what to do', async () => {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  expect(await recruiter.call(getAts, {})).toEqual({ name: null, state: 'not_configured', account: null });
  await expect(recruiter.call(searchAtsJobs, { query: { search: 'nurse' } })).rejects.toMatchObject({
    status: 409,
    body: { code: 'not_configured', message: expect.stringContaining('Ask an admin') },
  });
});

test('Bullhorn is connected by the consent of an administrator, even while the server runs', async () => {
  const { product, recruiter } = await startWithBullhorn();
  expect(await recruiter.call(getAts, {})).toEqual(NOT_CONNECTED);
  expect(await recruiter.call(getSetup, {})).toMatchObject({ ats: false, atsAccount: null });
  await connectBullhorn(product);
  const account = 'interviews.api';
  expect(await recruiter.call(getAts, {})).toEqual({ name: 'Bullhorn', state: 'connected', account });
  expect(await recruiter.call(getSetup, {})).toMatchObject({
    ats: true,
    atsAccount: { name: 'Bullhorn', account, canWrite: true },
  });
});

test('a search finds open jobs by title or client', async () => {
  const { sandbox, product, recruiter } = await startWithBullhorn();
  await connectBullhorn(product);
  const job = {
    employerId: '4711',
    employerName: 'Northwind Health',
    jobId: '88',
    title: 'Senior Frontend Engineer',
    isOpen: true,
    url: `${sandbox.bullhorn.loginUrl}/BullhornSTAFFING/OpenWindow.cfm?Entity=JobOrder&id=88`,
  };
  expect(await recruiter.call(searchAtsJobs, { query: { search: 'frontend north' } })).toEqual([job]);
  const all = await recruiter.call(searchAtsJobs, { query: {} });
  expect(all.map(({ jobId }) => jobId)).toEqual(['95', '94', '93', '92', '91', '90', '88']);
});

test('a revoked sign-in is reported with the person who must act, and is in the System Logs', async () => {
  const { sandbox, product, recruiter } = await startWithBullhorn();
  await connectBullhorn(product);
  sandbox.control.bullhorn.tokens.revoke();
  await expect(recruiter.call(searchAtsJobs, { query: {} })).rejects.toMatchObject({
    status: 502,
    body: { message: 'Bullhorn no longer accepts our sign-in. Ask an admin to run `npm run ats:connect`.' },
  });
  expect(await recruiter.call(getAts, {})).toMatchObject({ state: 'reconnect', account: 'interviews.api' });
  expect(await recruiter.call(getSetup, {})).toMatchObject({ ats: false });
  const entries = await product.db.selectFrom('log_entry').select('summary').where('action', 'like', 'ats-%').execute();
  expect(entries.map(({ summary }) => summary)).toEqual([
    'Connected with Bullhorn as interviews.api.',
    'Bullhorn no longer accepts the sign-in of interviews.api. Nothing is sent until an admin connects it again.',
  ]);
});

test('another client or API user needs a new consent', async () => {
  const { sandbox, product } = await startWithBullhorn();
  await connectBullhorn(product);
  const env = { ...productVariables(sandbox), BULLHORN_CLIENT_ID: 'another' };
  const next = await startApp({ jobs: false, database: product.database, env });
  expect(await (await next.signedIn()).call(getAts, {})).toEqual(NOT_CONNECTED);
});

describe('a destination', () => {
  test.each([
    ['BUB-4711-88', null],
    ['BUB-4711-999', { kind: 'missing', text: 'Bullhorn has no job 999. Check the Job ID.' }],
    ['BUB-4714-96', { kind: 'missing', text: 'Bullhorn has no job 96. Check the Job ID.' }],
    ['BUB-ACME-2026-07', { kind: 'missing', text: 'Bullhorn has no job 2026-07. Check the Job ID.' }],
    [
      'BUB-4711-89',
      { kind: 'closed', text: '"Frontend Engineer, Contract" of Northwind Health (4711) is closed in Bullhorn.' },
    ],
    [
      'BUB-4712-88',
      {
        kind: 'other_client',
        text: 'Job 88 in Bullhorn is "Senior Frontend Engineer" of Northwind Health (4711), not of employer 4712.',
      },
    ],
  ])('%s is saved with the warning %o', async (destinationId, warning) => {
    const { product, recruiter } = await startWithBullhorn();
    await connectBullhorn(product);
    const id = await anInterview(product, recruiter);
    const response = await recruiter.call(setDestination, { params: { id }, body: { destinationId } });
    expect(response).toEqual({ message: 'Destination updated', warning });
    expect(await recruiter.call(getInterview, { params: { id }, query: {} })).toMatchObject({ destinationId });
  });

  test.each<[string, FaultInput | null]>([
    ['that is not connected', null],
    ['that fails', { kind: 'status', status: 500, on: 'bullhorn' }],
    ['that sends nonsense', { kind: 'ats-body', body: '<html>' }],
    ['that is silent', { kind: 'hang', on: 'bullhorn' }],
  ])('is saved without a warning with an ATS %s', async (_, fault) => {
    const { sandbox, product, recruiter } = await startWithBullhorn();
    if (fault) await connectBullhorn(product);
    if (fault) sandbox.control.fail(fault);
    const id = await anInterview(product, recruiter);
    const startedAt = Date.now();
    const body = { destinationId: 'BUB-4711-999' };
    expect(await recruiter.call(setDestination, { params: { id }, body })).toMatchObject({ warning: null });
    expect(Date.now() - startedAt).toBeLessThan(15_000);
  });
});

test('a rotation of the encryption key keeps the connection', async () => {
  const { sandbox, product } = await startWithBullhorn();
  await connectBullhorn(product);
  const ENCRYPTION_KEY = 'cd'.repeat(32);
  const { ENCRYPTION_KEY: former = '' } = product.environment;
  await runCommand(rotateKeysCommand, [], {
    ...product.environment,
    ENCRYPTION_KEY,
    ENCRYPTION_KEY_PREVIOUS: former,
  });
  const env = { ...productVariables(sandbox), ENCRYPTION_KEY };
  const next = await startApp({ jobs: false, database: product.database, env });
  expect(await (await next.signedIn()).call(searchAtsJobs, { query: { search: 'barista' } })).toHaveLength(1);
});

describe('Lever', () => {
  test('a key connects it, and its jobs have the department as employer', async () => {
    const { sandbox, recruiter, product } = await startWithLever();
    const account = sandbox.lever.user;
    expect(await recruiter.call(getAts, {})).toEqual({ name: 'Lever', state: 'connected', account });
    expect(await recruiter.call(getSetup, {})).toMatchObject({
      ats: true,
      atsAccount: { name: 'Lever', account, canWrite: true },
    });
    expect(await recruiter.call(searchAtsJobs, { query: { search: 'front engin' } })).toMatchObject([
      { employerId: 'lever', employerName: 'Engineering', jobId: 'post-frontend' },
    ]);
    const id = await anInterview(product, recruiter);
    const warningOf = async (destinationId: string) =>
      (await recruiter.call(setDestination, { params: { id }, body: { destinationId } })).warning?.kind ?? null;
    expect(await warningOf('BUB-lever-post-frontend')).toBeNull();
    expect(await warningOf('BUB-lever-post-contract')).toBe('closed');
    expect(await warningOf('BUB-4711-post-frontend')).toBe('other_client');
  });

  test('a rejected key stops all calls until it is replaced', async () => {
    const { sandbox, recruiter, product } = await startWithLever();
    sandbox.control.lever.isKeyValid = false;
    const search = () => recruiter.call(searchAtsJobs, { query: {} });
    await expect(search()).rejects.toMatchObject({ body: { message: expect.stringContaining('LEVER_API_KEY') } });
    const calls = sandbox.requests.list('/lever').length;
    await expect(search()).rejects.toMatchObject({ status: 502 });
    expect(sandbox.requests.list('/lever')).toHaveLength(calls);
    expect(await recruiter.call(getAts, {})).toMatchObject({ state: 'reconnect' });
    const env = { ...product.environment, LEVER_API_KEY: 'a-new-key-of-lever' };
    const next = await startApp({ jobs: false, database: product.database, env });
    expect(await (await next.signedIn()).call(getAts, {})).toMatchObject({ state: 'connected' });
  });
});
