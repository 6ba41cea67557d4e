import { expect, test } from 'vitest';
import { acceptInvitation, inviteAccount, renewInvitation, updateAccount } from '#contracts/accounts.ts';
import { listLogs } from '#contracts/logs.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import { runCommandLine } from '#support/commands.ts';
import { startApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';

type AppOptions = Parameters<typeof startApp>[0];

async function start({ env, ...options }: AppOptions = {}) {
  const sandbox = await startSandbox();
  const { SMTP_URL = '', MAIL_FROM = '' } = productVariables(sandbox);
  const product = await startApp({ ...options, env: { SMTP_URL, MAIL_FROM, ...env } });
  const admin = await product.signedIn();
  const invite = async (username: string, email: string | null = `${username}@example.com`) => {
    const rights = { role: 'recruiter' as const, allFunnels: true, funnelIds: [] };
    return await admin.call(inviteAccount, { body: { username, email, ...rights } });
  };
  return { sandbox, product, admin, invite };
}

const arrived = (sandbox: Sandbox, count: number) =>
  until(`${count} mails arrive`, async () => {
    const mails = sandbox.control.mails();
    return mails.length >= count ? mails : null;
  });

/** Resolves when no mail is waiting. */
const settled = ({ product }: Pick<Awaited<ReturnType<typeof start>>, 'product'>) =>
  until('no mail waits', async () =>
    (await product.db.selectFrom('mail').select('id').execute()).length === 0 ? true : null,
  );

test('an invitation is mailed to the account, with the link that the administrator sees', async () => {
  const { sandbox, product, admin, invite } = await start({ env: { PUBLIC_URL: 'https://interviews.example' } });
  const { account, invitation } = await invite('ann');
  const [mail] = await arrived(sandbox, 1);
  expect(invitation.link).toMatch(/^https:\/\/interviews\.example\/invitation\/[\w-]{22}$/);
  expect(mail).toMatchObject({
    ...{ to: ['ann@example.com'], from: 'interviews@example.com' },
    subject: 'You are invited to Video Interview Management',
    messageId: expect.stringMatching(/^<[\w-]{36}@example\.com>$/),
  });
  expect(mail?.text).toContain(`Your username is ann.`);
  expect(mail?.text).toContain(invitation.link);
  expect(mail?.html).toContain(`href="${invitation.link}"`);
  const renewed = await admin.call(renewInvitation, { params: { id: account.id } });
  const [, second] = await arrived(sandbox, 2);
  expect(second?.text).toContain(renewed.link);
  await settled({ product });
});

test('without an address or a mail server, nothing is sent', async () => {
  const { sandbox, product, invite } = await start();
  await invite('ann', null);
  const withoutMail = await start({ env: { SMTP_URL: '', MAIL_FROM: '' } });
  await withoutMail.invite('ann');
  for (const { db } of [product, withoutMail.product])
    expect(await db.selectFrom('mail').selectAll().execute()).toEqual([]);
  expect(sandbox.control.mails()).toEqual([]);
});

test.each<[does: string, (control: Sandbox['control']) => void]>([
  ['refuses for now', ({ fail }) => fail({ kind: 'mail-refuses', code: 450, times: 3 })],
  ['rejects', ({ fail }) => fail({ kind: 'mail-refuses', code: 550, at: 'data', times: 3 })],
  ['is slow', ({ fail }) => fail({ kind: 'latency', ms: 1_500, on: 'mail' })],
  ['is away, far longer than many attempts take', ({ fail }) => fail({ kind: 'mail-away', times: 30 })],
  ['accepts and loses the reply', ({ fail }) => fail({ kind: 'mail-response-lost', times: 3 })],
])('when the server %s, each mail arrives once', async (_does, breakServer) => {
  const { sandbox, product, admin, invite } = await start();
  breakServer(sandbox.control);
  for (const name of ['ann', 'bob', 'carl']) await invite(name);
  await settled({ product });
  const mails = sandbox.control.mails();
  expect(mails.map(({ to }) => to[0]).toSorted()).toEqual(['ann@example.com', 'bob@example.com', 'carl@example.com']);
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(3);
  const { logs } = await admin.call(listLogs, { query: { type: 'error' } });
  expect(logs.filter(({ action }) => action === 'mail-failed')).toEqual([]);
});

test('a mail that the server accepts twice has the same Message-ID both times', async () => {
  const { sandbox, product, invite } = await start();
  sandbox.control.fail({ kind: 'mail-response-lost', times: 2 });
  await invite('ann');
  await settled({ product });
  expect(sandbox.control.mails()).toMatchObject([{ to: ['ann@example.com'], deliveries: 3 }]);
});

test('another process sends the mails of a process that ended', async () => {
  const { sandbox, product, invite } = await start();
  const away = sandbox.control.fail({ kind: 'mail-away' });
  await invite('ann');
  await until('an attempt fails', async () => (away.hits() > 0 ? true : null));
  await product.stop();
  away.stop();
  const { SMTP_URL = '', MAIL_FROM = '' } = productVariables(sandbox);
  await startApp({ database: product.database, dataDir: product.dataDir, env: { SMTP_URL, MAIL_FROM } });
  expect(await arrived(sandbox, 1)).toMatchObject([{ deliveries: 1 }]);
});

test('a mail that is not accepted in time is abandoned with a log entry', async () => {
  const retry = { firstDelayMs: 20, maxDelayMs: 50, maxRejectedDelayMs: 50, giveUpMs: 500 };
  const { sandbox, product, admin, invite } = await start({ paces: { mailRetry: retry } });
  sandbox.control.fail({ kind: 'mail-refuses', code: 550, message: 'No such user', path: 'ann@example.com' });
  await invite('ann');
  await invite('bob');
  await settled({ product });
  const { logs } = await admin.call(listLogs, { query: { type: 'error' } });
  const entries = logs.filter(({ action }) => action === 'mail-failed');
  expect(entries).toMatchObject([
    {
      summary:
        'The mail "You are invited to Video Interview Management" to ann@example.com was not delivered: The mail server rejected the mail (550 No such user).',
      metadata: { to: 'ann@example.com' },
    },
  ]);
  expect(sandbox.control.mails()).toMatchObject([{ to: ['bob@example.com'] }]);
});

test('the link is encrypted until the mail is sent, even after a key rotation', async () => {
  const { sandbox, product, invite } = await start({ env: { ENCRYPTION_KEY: 'ab'.repeat(32) } });
  const away = sandbox.control.fail({ kind: 'mail-away' });
  const { invitation } = await invite('ann');
  const token = invitation.link.split('/').at(-1) ?? '';
  const stored = await product.db.selectFrom('mail').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(token);
  expect(stored[0]?.link_sealed).toBeInstanceOf(Buffer);
  const keys = { ENCRYPTION_KEY: 'cd'.repeat(32), ENCRYPTION_KEY_PREVIOUS: 'ab'.repeat(32) };
  const rotated = await runCommandLine(['keys:rotate'], { ...product.environment, ...keys });
  expect(rotated.code).toBe(0);
  await product.stop();
  away.stop();
  const { SMTP_URL = '', MAIL_FROM = '' } = productVariables(sandbox);
  const env = { SMTP_URL, MAIL_FROM, ENCRYPTION_KEY: keys.ENCRYPTION_KEY };
  await startApp({ database: product.database, dataDir: product.dataDir, env });
  const [mail] = await arrived(sandbox, 1);
  expect(mail?.text).toContain(invitation.link);
});

test('an unsent mail is withdrawn when its link stops working', async () => {
  const retry = { firstDelayMs: 2_000, maxDelayMs: 2_000, maxRejectedDelayMs: 2_000, giveUpMs: 60_000 };
  const { sandbox, product, admin, invite } = await start({ paces: { mailRetry: retry } });
  const away = sandbox.control.fail({ kind: 'mail-away' });
  const { account } = await invite('ann');
  const bob = await invite('bob');
  const carl = await invite('carl');
  await until(
    'all wait for the next attempt',
    async () =>
      (await product.db.selectFrom('mail').select('failures').execute()).every(({ failures }) => failures === 1) ||
      null,
  );
  const renewed = await admin.call(renewInvitation, { params: { id: account.id } });
  await admin.call(updateAccount, { params: { id: bob.account.id }, body: { isDisabled: true } });
  const token = carl.invitation.link.split('/').at(-1) ?? '';
  await product.anonymous().call(acceptInvitation, { params: { token }, body: { newPassword: 'a long password' } });
  away.stop();
  await settled({ product });
  const mails = sandbox.control.mails();
  expect(mails).toMatchObject([{ to: ['ann@example.com'], subject: expect.stringContaining('Choose a password') }]);
  expect(mails[0]?.text).toContain(renewed.link);
});
