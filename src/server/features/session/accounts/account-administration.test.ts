import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  type Account,
  acceptInvitation,
  deleteAccount,
  getInvitation,
  inviteAccount,
  listAccounts,
  type NewAccount,
  renewInvitation,
  updateAccount,
} from '#contracts/accounts.ts';
import { listFunnels } from '#contracts/funnels.ts';
import { listLogs } from '#contracts/logs.ts';
import { changePassword, getUser, login } from '#contracts/session.ts';
import { createEvents } from '#server/compose-events.ts';
import { type Person, refusal } from '#support/call.ts';
import { setUpFactor } from '#support/second-factor.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';
import { Accounts } from './accounts.service.ts';

const PASSWORD = 'a long enough password';
const ANN: z.input<typeof NewAccount> = {
  ...{ username: 'ann', email: 'ann@example.com', role: 'recruiter', allFunnels: true },
  funnelIds: [],
};

const tokenOf = (link: string) => link.split('/invitation/')[1] ?? '';

async function invite(admin: Person, part: Partial<z.input<typeof NewAccount>> = {}) {
  const { account, invitation } = await admin.call(inviteAccount, { body: { ...ANN, ...part } });
  return { account, token: tokenOf(invitation.link), ...invitation };
}

const accept = (product: TestApp, token: string, newPassword = PASSWORD) =>
  product.anonymous().call(acceptInvitation, { params: { token }, body: { newPassword } });

/** Invites a person who then signs in. */
async function join(product: TestApp, admin: Person, part: Partial<z.input<typeof NewAccount>> = {}) {
  const { account, token } = await invite(admin, part);
  await accept(product, token);
  return { account, person: await product.signedIn(account.username, PASSWORD) };
}

const statusOf = async (call: Promise<unknown>) => (await refusal(call)).status;
const change = (person: Person, { id }: Pick<Account, 'id'>, body: z.input<typeof updateAccount.body & {}>) =>
  person.call(updateAccount, { params: { id }, body });

async function start() {
  const product = await startApp({ jobs: false });
  const admin = await product.signedIn();
  return { product, admin };
}

describe('the list of accounts', () => {
  test('the list of accounts shows role, funnels, state, second factor and last use', async () => {
    const { product, admin } = await start();
    const funnelId = await product.build.funnel(admin);
    const { account } = await invite(admin, { allFunnels: false, funnelIds: [funnelId, funnelId] });
    await setUpFactor(admin, 'admin123');
    expect(account).toEqual({
      ...{ ...ANN, id: account.id, allFunnels: false, funnelIds: [funnelId] },
      ...{ isDisabled: false, lastSeenAt: null, hasSecondFactor: false, identities: [] },
    });
    const [first, second] = await admin.call(listAccounts, {});
    expect(first).toMatchObject({ username: 'admin', role: 'administrator', allFunnels: true, hasSecondFactor: true });
    expect(Date.now() - Date.parse(first?.lastSeenAt ?? '')).toBeLessThan(300_000);
    expect(second).toEqual(account);
  });

  test('the time an account was last seen is kept after its sessions have ended', async () => {
    const { product, admin } = await start();
    const { account, person } = await join(product, admin);
    await person.call(getUser, {});
    await change(admin, account, { isDisabled: true });
    const listed = (await admin.call(listAccounts, {})).find(({ id }) => id === account.id);
    expect(listed?.lastSeenAt).not.toBeNull();
  });

  test('only administrators reach the accounts', async () => {
    const { product, admin } = await start();
    for (const role of ['recruiter', 'reviewer'] as const) {
      const { account, person } = await join(product, admin, { username: role, email: null, role });
      expect(await statusOf(person.call(listAccounts, {}))).toBe(403);
      expect(await statusOf(invite(person, { username: 'x' }))).toBe(403);
      expect(await statusOf(change(person, account, { role: 'administrator' }))).toBe(403);
      expect(await statusOf(person.call(deleteAccount, { params: { id: account.id } }))).toBe(403);
      expect(await statusOf(person.call(renewInvitation, { params: { id: account.id } }))).toBe(403);
      expect((await person.call(getUser, {})).role).toBe(role);
    }
  });
});

describe('invited and changed accounts', () => {
  test('names and e-mail addresses are unique regardless of case', async () => {
    const { admin } = await start();
    const { account } = await invite(admin);
    const other = await invite(admin, { username: 'bob', email: '' });
    expect(other.account.email).toBeNull();
    expect(await refusal(invite(admin, { username: 'ANN', email: null }))).toMatchObject({
      status: 409,
      body: { code: 'conflict', field: 'username' },
    });
    for (const call of [
      invite(admin, { username: 'carl', email: 'Ann@Example.com' }),
      change(admin, other.account, { email: 'ANN@example.com' }),
    ])
      expect(await refusal(call)).toMatchObject({ status: 409, body: { field: 'email' } });
    expect((await change(admin, account, { email: null })).email).toBeNull();
  });

  test('funnels must exist and fit the role', async () => {
    const { product, admin } = await start();
    const funnelId = await product.build.funnel(admin);
    const field = async (call: Promise<unknown>) => {
      const { status, body } = await refusal(call);
      return [status, body.field];
    };
    const unknown = await refusal(invite(admin, { allFunnels: false, funnelIds: [funnelId, 4711] }));
    expect([unknown.status, unknown.body.field]).toEqual([400, 'funnelIds']);
    expect(unknown.body.message).toContain('these funnels do not exist: 4711');
    expect(await field(invite(admin, { role: 'administrator', allFunnels: false }))).toEqual([400, 'allFunnels']);
    expect(await field(invite(admin, { funnelIds: [funnelId] }))).toEqual([400, 'funnelIds']);
    const { account } = await invite(admin, { allFunnels: false, funnelIds: [funnelId] });
    expect(await field(change(admin, account, { funnelIds: [4711] }))).toEqual([400, 'funnelIds']);
    expect(await change(admin, account, { role: 'administrator' })).toMatchObject({ allFunnels: true, funnelIds: [] });
  });

  test('an unknown role is rejected with the allowed ones', async () => {
    const { admin } = await start();
    const { body } = await refusal(invite(admin, { role: 'owner' as 'reviewer' }));
    expect(body).toMatchObject({ field: 'role', message: 'role must be reviewer, recruiter or administrator' });
  });

  test('a change of role or funnels applies to the next request of an open session', async () => {
    const { product, admin } = await start();
    const funnelId = await product.build.funnel(admin);
    const other = await product.build.funnel(admin, { name: 'Nurses', funnelId: 'nurses' });
    const { account, person } = await join(product, admin, { allFunnels: false, funnelIds: [funnelId] });
    await person.call(listFunnels, {});
    await change(admin, account, { role: 'reviewer', funnelIds: [other] });
    expect(await person.call(getUser, {})).toMatchObject({ role: 'reviewer', allFunnels: false, funnelIds: [other] });
  });

  test('a change reaches the open sessions of another process', async () => {
    const { product, admin } = await start();
    const second = await startApp({ database: product.database, isAlone: false, jobs: false });
    const { account } = await join(product, admin);
    const person = await second.signedIn('ann', PASSWORD);
    await person.call(getUser, {});
    await change(admin, account, { role: 'reviewer' });
    await until('the other process knows', async () => (await person.call(getUser, {})).role === 'reviewer');
  });

  test('a disabled account loses its sessions, its invitation and its sign-in until it is enabled', async () => {
    const { product, admin } = await start();
    const { account, person } = await join(product, admin);
    const { link } = await admin.call(renewInvitation, { params: { id: account.id } });
    await change(admin, account, { isDisabled: true });
    expect(await statusOf(person.call(getUser, {}))).toBe(401);
    const denied = await refusal(product.signedIn('ann', PASSWORD));
    const wrong = await refusal(product.signedIn('nobody', PASSWORD));
    expect([denied.status, denied.body.code, denied.body.message]).toEqual([401, wrong.body.code, wrong.body.message]);
    expect(await statusOf(accept(product, tokenOf(link)))).toBe(404);
    expect(await statusOf(admin.call(renewInvitation, { params: { id: account.id } }))).toBe(409);
    await change(admin, account, { isDisabled: false });
    expect((await (await product.signedIn('ann', PASSWORD)).call(getUser, {})).username).toBe('ann');
    expect(await statusOf(person.call(getUser, {}))).toBe(401);
  });

  test('funnels, log entries and uploads keep the name of a deleted account', async () => {
    const { product, admin } = await start();
    const { account, person } = await join(product, admin);
    const funnelId = await product.build.funnel(person, { refreshMinutes: 60 });
    await admin.call(deleteAccount, { params: { id: account.id } });
    expect(await statusOf(person.call(getUser, {}))).toBe(401);
    expect(await statusOf(product.signedIn('ann', PASSWORD))).toBe(401);
    const { automated_by } = await product.db
      .selectFrom('funnel')
      .select('automated_by')
      .where('id', '=', funnelId)
      .executeTakeFirstOrThrow();
    expect(automated_by).toBe('ann');
    const { logs } = await admin.call(listLogs, {});
    expect(logs.find(({ action }) => action === 'create-funnel')?.actor?.name).toBe('ann');
    expect(await statusOf(admin.call(deleteAccount, { params: { id: account.id } }))).toBe(404);
  });

  test('every change is logged with the administrator and the values before and after', async () => {
    const { product, admin } = await start();
    const { account } = await join(product, admin);
    await change(admin, account, { role: 'reviewer', email: 'ann@example.org' });
    await change(admin, account, { role: 'reviewer' });
    await change(admin, account, { isDisabled: true });
    await admin.call(deleteAccount, { params: { id: account.id } });
    const { logs } = await admin.call(listLogs, { query: { limit: 100 } });
    const entries = logs.filter(({ metadata }) => metadata?.username === 'ann').toReversed();
    expect(entries.map(({ action, actor }) => `${action} ${actor?.name}`)).toEqual([
      'invite-account admin',
      'change-password ann',
      'sign-in ann',
      'update-account admin',
      'disable-account admin',
      'remove-account admin',
    ]);
    expect(entries[3]?.metadata).toMatchObject({
      before: { role: 'recruiter', email: 'ann@example.com' },
      after: { role: 'reviewer', email: 'ann@example.org' },
    });
  });
});

describe('the last enabled administrator', () => {
  const ROOT = { username: 'root', email: null, role: 'administrator' } as const;

  test('people change neither their own role nor their own state', async () => {
    const { product, admin } = await start();
    await join(product, admin, ROOT);
    const self = await admin.call(getUser, {});
    for (const [body, field] of [
      [{ role: 'recruiter' }, 'role'],
      [{ isDisabled: true }, 'isDisabled'],
    ] as const)
      expect(await refusal(change(admin, self, body))).toMatchObject({ status: 409, body: { field } });
    expect(await statusOf(admin.call(deleteAccount, { params: { id: self.id } }))).toBe(409);
    expect((await change(admin, self, { role: 'administrator', email: 'root@example.com' })).email).toBe(
      'root@example.com',
    );
  });

  test.each(['demoted', 'disabled', 'deleted'] as const)(
    'two administrators who are %s by each other at the same time leave one',
    async (how) => {
      const { product, admin } = await start();
      const { account: root, person } = await join(product, admin, ROOT);
      const self = await admin.call(getUser, {});
      const act = (actor: Person, { id }: { id: number }) =>
        how === 'deleted'
          ? actor.call(deleteAccount, { params: { id } })
          : change(actor, { id }, how === 'demoted' ? { role: 'reviewer' } : { isDisabled: true });
      const outcomes = await Promise.allSettled([act(admin, root), act(person, self)]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const left = await product.db
        .selectFrom('account')
        .select('username')
        .where('role', '=', 'administrator')
        .where('is_disabled', '=', false)
        .execute();
      expect(left).toHaveLength(1);
    },
  );

  test('cannot be removed on the command line either, and disabled administrators do not count', async () => {
    const { product, admin } = await start();
    const { account } = await join(product, admin, ROOT);
    await change(admin, account, { isDisabled: true });
    const commands = new Accounts(product.db, createEvents());
    await expect(commands.remove('admin')).rejects.toThrow('admin is the last enabled administrator.');
    await commands.remove('root');
  });
});

describe('invitations', () => {
  test('an invitation sets the password, works once and lets the person in', async () => {
    const { product, admin } = await start();
    const { account, token, link, expiresAt } = await invite(admin);
    expect(link).toMatch(/^http:\/\/localhost(:\d+)?\/invitation\/[\w-]{22}$/);
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(71.9 * 3_600_000);
    expect(await statusOf(product.signedIn('ann', PASSWORD))).toBe(401);
    expect(await product.anonymous().call(getInvitation, { params: { token } })).toEqual({ username: 'ann' });
    await accept(product, token);
    expect(await (await product.signedIn('ann', PASSWORD)).call(getUser, {})).toMatchObject({ id: account.id });
    expect(await statusOf(accept(product, token, 'another long password'))).toBe(404);
    await product.signedIn('ann', PASSWORD);
  });

  test('the link starts with the first address of PUBLIC_URL', async () => {
    const product = await startApp({
      jobs: false,
      env: { PUBLIC_URL: 'https://interviews.example.com, http://localhost' },
    });
    expect((await invite(await product.signedIn())).link).toMatch(/^https:\/\/interviews\.example\.com\/invitation\//);
  });

  test('a mail scanner that opens the link 200 times changes nothing', async () => {
    const { product, admin } = await start();
    const { token } = await invite(admin);
    const scanner = product.anonymous();
    for (let opened = 0; opened < 200; opened += 1) await scanner.call(getInvitation, { params: { token } });
    await accept(product, token);
  });

  test('unknown, used, replaced and expired links get the same error', async () => {
    const { product, admin } = await start();
    const { account, token: replaced } = await invite(admin);
    const used = tokenOf((await admin.call(renewInvitation, { params: { id: account.id } })).link);
    await accept(product, used);
    const expired = tokenOf((await admin.call(renewInvitation, { params: { id: account.id } })).link);
    await product.db
      .updateTable('invitation')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .execute();
    const bodies = [];
    for (const token of ['unknown', replaced, used, expired]) {
      const opened = await refusal(product.anonymous().call(getInvitation, { params: { token } }));
      const accepted = await refusal(accept(product, token));
      expect([opened.status, accepted.status]).toEqual([404, 404]);
      bodies.push(...[opened, accepted].map(({ body: { requestId, ...rest } }) => rest));
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  });

  test('if two people use a link concurrently, only one sets the password', async () => {
    const { product, admin } = await start();
    const { token } = await invite(admin);
    const passwords = ['the first password', 'the second password'];
    const outcomes = await Promise.allSettled(passwords.map((password) => accept(product, token, password)));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const winner = passwords[outcomes.findIndex(({ status }) => status === 'fulfilled')];
    await product.signedIn('ann', winner);
  });

  test('correcting an address invalidates the link that was sent to the wrong one', async () => {
    const { product, admin } = await start();
    const { account, token } = await invite(admin, { email: 'wrong@example.com' });
    await change(admin, account, { role: 'reviewer' });
    await product.anonymous().call(getInvitation, { params: { token } });
    await change(admin, account, { email: 'ann@example.com' });
    expect(await statusOf(accept(product, token))).toBe(404);
  });

  test('a link that was not mailed stays valid when the account gets an address', async () => {
    const { product, admin } = await start();
    const { account, token } = await invite(admin, { email: null });
    await change(admin, account, { email: 'ann@example.com' });
    await accept(product, token);
  });

  test.each<[string, (product: TestApp, person: Person) => Promise<unknown>]>([
    [
      'by the person',
      (_, person) =>
        person.call(changePassword, { body: { currentPassword: PASSWORD, newPassword: 'my own password' } }),
    ],
    [
      'on the command line',
      ({ db }) => new Accounts(db, createEvents()).changePassword({ username: 'ann', password: 'a reset password' }),
    ],
  ])('a link no longer works once the password was changed %s', async (_, changeIt) => {
    const { product, admin } = await start();
    const { account, person } = await join(product, admin);
    const { link } = await admin.call(renewInvitation, { params: { id: account.id } });
    await changeIt(product, person);
    expect(await statusOf(accept(product, tokenOf(link)))).toBe(404);
  });

  test('a weak password is rejected and the link stays valid', async () => {
    const { product, admin } = await start();
    const { token } = await invite(admin);
    for (const password of ['short', 'password1', 'ann ann ann'])
      expect(await refusal(accept(product, token, password))).toMatchObject({
        status: 400,
        body: { field: 'newPassword' },
      });
    await accept(product, token);
  });

  test('a new link for a forgotten password ends all sessions and keeps the second factor', async () => {
    const { product, admin } = await start();
    const { account, person } = await join(product, admin);
    await setUpFactor(person, PASSWORD);
    const { link } = await admin.call(renewInvitation, { params: { id: account.id } });
    await person.call(getUser, {});
    await accept(product, tokenOf(link), 'a new long password');
    expect(await statusOf(person.call(getUser, {}))).toBe(401);
    expect((await refusal(product.signedIn('ann', 'a new long password'))).body.code).toBe('second_factor_required');
    expect((await refusal(product.signedIn('ann', PASSWORD))).body.code).toBe('wrong_credentials');
  });

  test('the database stores no token', async () => {
    const { product, admin } = await start();
    const { token } = await invite(admin);
    const { token_hash } = await product.db.selectFrom('invitation').select('token_hash').executeTakeFirstOrThrow();
    expect(token_hash.includes(token)).toBe(false);
    expect(token_hash).toHaveLength(32);
  });

  test('guessing links is throttled, without affecting sign-ins from the same address', async () => {
    const { product } = await start();
    const guess = (at: number) =>
      statusOf(product.anonymous().call(getInvitation, { params: { token: `guess-${at}` } }));
    const statuses = [];
    for (let at = 0; at < 22; at += 1) statuses.push(await guess(at));
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
    await product.anonymous().call(login, { body: { username: 'admin', password: 'admin123' } });
  });
});
