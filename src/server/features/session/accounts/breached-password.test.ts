import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { changePassword, login } from '#contracts/session.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { userCommand } from '#server/cli/user-command.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { runCommand } from '#support/commands.ts';
import { startApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';
import { breachCheck } from './password-policy.ts';

const PUBLIC = 'rain over the warehouse';
const REFUSAL = 'This password has appeared in a data breach. Choose a different one.';
const OTHER = 'rain over the empty harbor';
const DEFAULT = 'admin123';

async function setUp() {
  const sandbox = await startSandbox();
  const product = await startApp({ env: productVariables(sandbox), jobs: false });
  const recruiter = await product.signedIn();
  const change = (newPassword: string) =>
    recruiter.request({ method: 'POST', url: changePassword.path, body: { currentPassword: DEFAULT, newPassword } });
  const accepts = async (password: string) => {
    const body = { username: 'admin', password };
    return (await product.anonymous().request({ method: 'POST', url: login.path, body })).statusCode === 200;
  };
  const user = (args: string[], password: string) =>
    runCommand(userCommand, args, product.environment, { piped: password });
  return { sandbox, product, change, accepts, user };
}

describe('a breached password', () => {
  test('a breached password is rejected when users change their password, and the old one stays valid', async () => {
    const { change, accepts } = await setUp();
    const response = await change(PUBLIC);
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { code: 'invalid_input', field: 'newPassword', message: REFUSAL, requestId: expect.any(String) },
    ]);
    expect([await accepts(DEFAULT), await accepts(PUBLIC)]).toEqual([true, false]);
    expect((await change(OTHER)).statusCode).toBe(200);
    expect(await accepts(OTHER)).toBe(true);
  });

  test('a breached password is rejected on the command line, for new accounts and for new passwords', async () => {
    const { user } = await setUp();
    for (const args of [
      ['add', 'ann'],
      ['password', 'admin'],
    ])
      await expect(user(args, PUBLIC)).rejects.toThrow(REFUSAL);
    expect(await user(['add', 'ann'], OTHER)).toEqual({ result: 'Added account ann.', shown: '' });
  });

  test('a breached password is not looked up when another rule already refuses it', async () => {
    const { change, sandbox } = await setUp();
    for (const password of ['short', 'sunshine', 'admin-admin-1'])
      expect((await change(password)).statusCode).toBe(400);
    expect(sandbox.requests.list('/breaches/')).toEqual([]);
  });
});

describe('an unavailable breached-password service', () => {
  test('an unavailable breached-password service delays a password change only briefly and does not delay sign-ins', async () => {
    const { sandbox, change, accepts } = await setUp();
    sandbox.control.fail({ kind: 'latency', ms: 60_000, on: 'breaches' });
    // One more than the sign-ins that run concurrently.
    const changes = [change(OTHER), change(OTHER), change(OTHER)];
    let isWaiting = true;
    const changed = Promise.all(changes).finally(() => {
      isWaiting = false;
    });
    await until('the service is asked', async () => sandbox.requests.list('/breaches/').length === changes.length);
    const before = performance.now();
    expect([await accepts(DEFAULT), isWaiting]).toEqual([true, true]);
    expect((await changed).map(({ statusCode }) => statusCode)).toContain(200);
    expect(performance.now() - before).toBeLessThan(15_000);
    expect(await accepts(OTHER)).toBe(true);
  });

  test('an unavailable breached-password service is reported on the command line, and the password is still changed', async () => {
    const { sandbox, user, accepts } = await setUp();
    sandbox.control.fail({ kind: 'status', status: 503, on: 'breaches' });
    const { result, shown } = await user(['password', 'admin'], PUBLIC);
    expect(result).toContain('Changed the password of admin');
    expect(shown).toMatch(/ The password was not checked there\.\n$/);
    expect(await accepts(PUBLIC)).toBe(true);
  });

  test('an unavailable breached-password service is logged as a warning that does not contain the password', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
    const has = () => Promise.reject(new UpstreamError('breached passwords', 'unavailable', 'unavailable'));
    const isBreached = breachCheck({ has }, (error) => log.warn({ err: error }, 'not looked up'));
    expect(await isBreached(PUBLIC)).toBe(false);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, err: { message: 'unavailable' } }]);
    expect(lines.join()).not.toContain(PUBLIC);
  });
});

test('no password is looked up when no service is configured', async () => {
  const sandbox = await startSandbox();
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const body = { currentPassword: DEFAULT, newPassword: PUBLIC };
  expect((await recruiter.request({ method: 'POST', url: changePassword.path, body })).statusCode).toBe(200);
  expect(sandbox.requests.list('/breaches/')).toEqual([]);
});
