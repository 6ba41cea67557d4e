import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { changePassword, login } from '#contracts/session.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { runUserCommand } from '#server/cli/user-command.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { startApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';
import { breachCheck } from './breach-check.ts';

const PUBLIC = 'rain over the warehouse';
const REFUSAL = 'This password became public when another service was broken into. Choose another one.';
const OTHER = 'rain over nobody at all';
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
  const warned: string[] = [];
  const user = (args: string[], password: string) =>
    runUserCommand(args, {
      environment: product.environment,
      readPassword: async () => password,
      warn: (text) => void warned.push(text),
    });
  return { sandbox, product, change, accepts, user, warned };
}

describe('a password that became public elsewhere', () => {
  test('is refused as one’s new password, and the old one stays', async () => {
    const { change, accepts } = await setUp();
    const answer = await change(PUBLIC);
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { code: 'invalid_input', field: 'newPassword', message: REFUSAL, requestId: expect.any(String) },
    ]);
    expect([await accepts(DEFAULT), await accepts(PUBLIC)]).toEqual([true, false]);
    expect((await change(OTHER)).statusCode).toBe(200);
    expect(await accepts(OTHER)).toBe(true);
  });

  test('is refused on the command line too, for new accounts and for new passwords', async () => {
    const { user, warned } = await setUp();
    for (const args of [
      ['add', 'ann'],
      ['password', 'admin'],
    ])
      await expect(user(args, PUBLIC)).rejects.toThrow(REFUSAL);
    expect(await user(['add', 'ann'], OTHER)).toContain('Account ann was added.');
    expect(warned).toEqual([]);
  });

  test('is never asked about when it is refused anyway', async () => {
    const { change, sandbox } = await setUp();
    for (const password of ['short', 'sunshine', 'admin-admin-1'])
      expect((await change(password)).statusCode).toBe(400);
    expect(sandbox.requests.list('/breaches/')).toEqual([]);
  });
});

describe('a service that does not answer', () => {
  test('keeps nobody from changing a password for long, nor others from signing in', async () => {
    const { sandbox, change, accepts } = await setUp();
    sandbox.control.fail({ kind: 'latency', ms: 60_000, on: 'breaches' });
    // More than sign-ins that work at a time.
    const changes = [change(OTHER), change(OTHER), change(OTHER)];
    let isWaiting = true;
    const changed = Promise.all(changes).finally(() => {
      isWaiting = false;
    });
    await until('the service is asked', async () => sandbox.requests.list('/breaches/').length === changes.length);
    const before = performance.now();
    expect([await accepts(DEFAULT), isWaiting]).toEqual([true, true]);
    expect((await changed).map(({ statusCode }) => statusCode)).toContain(200);
    expect(performance.now() - before).toBeLessThan(6_000);
    expect(await accepts(OTHER)).toBe(true);
  });

  test('is told to whoever changes one on the command line, and the change goes on', async () => {
    const { sandbox, user, warned, accepts } = await setUp();
    sandbox.control.fail({ kind: 'status', status: 503, on: 'breaches' });
    expect(await user(['password', 'admin'], PUBLIC)).toContain('The password of admin was changed.');
    expect(warned).toEqual([
      'The service of breached passwords answers 503. The password was not looked up there; the change goes on.\n',
    ]);
    expect(await accepts(PUBLIC)).toBe(true);
  });

  test('is a warning in the process’s log, which says nothing of the password', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
    const has = () => Promise.reject(new UpstreamError('breached passwords', 'unavailable', 'It is away.'));
    const isBreached = breachCheck({ has }, (error) => log.warn({ err: error }, 'not looked up'));
    expect(await isBreached(PUBLIC)).toBe(false);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, err: { message: 'It is away.' } }]);
    expect(lines.join()).not.toContain(PUBLIC);
  });
});

test('nobody is asked where no service is configured', async () => {
  const sandbox = await startSandbox();
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const body = { currentPassword: DEFAULT, newPassword: PUBLIC };
  expect((await recruiter.request({ method: 'POST', url: changePassword.path, body })).statusCode).toBe(200);
  expect(sandbox.requests.list('/breaches/')).toEqual([]);
});
