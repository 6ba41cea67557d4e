import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { updateAccount } from '#contracts/accounts.ts';
import { addComment } from '#contracts/comments.ts';
import {
  getNoticeSettings,
  listNotices,
  type NoticeSettings,
  readNotices,
  saveNoticeSettings,
  sendTestMail,
} from '#contracts/notices.ts';
import { getUser } from '#contracts/session.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { smtpMailer } from '#server/adapters/mailer-smtp/smtp-mailer.ts';
import { createEvents } from '#server/compose-events.ts';
import { connect } from '#server/db/database.ts';
import { MAIL_RETRY, Mail } from '#server/features/mail/mail.service.ts';
import { Accounts } from '#server/features/session/accounts/accounts.service.ts';
import { JobSender } from '#server/jobs/queue.ts';
import { Sealer } from '#server/secrets/sealer.ts';
import { refusal } from '#support/call.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { listen, connect as openSocket } from '#support/live-socket.ts';
import { signedInAs } from '#support/people.ts';
import { insertCandidates, openedGuest, shareOne } from '#support/sharing.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';
import { type NewNotice, Notices } from './notices.service.ts';

const NOW: NoticeSettings = { opened: 'now', verdict: 'now', mention: 'now', expiring: 'now' };
const YESTERDAY = new Date(Date.now() - 24 * 3_600_000);

/** Sets up a funnel with the interview iv_1, and people who see it. */
async function start() {
  const sandbox = await startSandbox();
  const { SMTP_URL = '', MAIL_FROM = '' } = productVariables(sandbox);
  const PUBLIC_URL = 'https://interviews.example';
  const product = await startApp({ paces: { automationIntervalMs: 50 }, env: { SMTP_URL, MAIL_FROM, PUBLIC_URL } });
  const admin = await product.signedIn();
  const funnelId = await product.build.funnel(admin);
  await insertInterviews(product.db, [{ id: 'iv_1', funnelId, candidateName: 'Dana Moore', title: 'Dana Moore' }]);
  const person = async (username: string, funnelIds?: number[]) => {
    const account = await signedInAs(product, { role: 'recruiter', username, ...(funnelIds && { funnelIds }) });
    const { id } = await account.call(getUser, {});
    await product.db
      .updateTable('account')
      .set({ email: `${username}@example.com` })
      .where('id', '=', id)
      .execute();
    return Object.assign(account, { id });
  };
  return { sandbox, product, admin, funnelId, person, notify: await notifier(product, { SMTP_URL, MAIL_FROM }) };
}

/** Notifies as a reaction to an event does. */
async function notifier(product: TestApp, { SMTP_URL, MAIL_FROM }: { SMTP_URL: string; MAIL_FROM: string }) {
  const connection = connect(product.database.url, 2, () => {});
  const queue = new JobSender(connection);
  await queue.opened;
  onTestFinished(async () => {
    await queue.close();
    await connection.close();
  });
  const events = createEvents();
  const mail = new Mail({
    ...{ db: connection.db, queue, events, retry: MAIL_RETRY, from: MAIL_FROM, log: pino({ level: 'silent' }) },
    sealer: new Sealer(() => []),
    mailer: smtpMailer({ url: SMTP_URL, from: MAIL_FROM, needsTls: false }),
  });
  const notices = new Notices({ db: connection.db, events, mail, origin: 'https://interviews.example' });
  return (notice: NewNotice) => connection.db.transaction().execute((tx) => notices.notify(tx, notice));
}

const arrived = async ({ sandbox }: Pick<Awaited<ReturnType<typeof start>>, 'sandbox'>, count: number) =>
  until(`${count} mails arrive`, async () => {
    const mails = sandbox.control.mails();
    return mails.length >= count ? mails : null;
  });

test('a notice is listed, announced live, and marked as read', async () => {
  const { product, person, notify } = await start();
  const ann = await person('ann');
  const socket = await openSocket(await listen(product), ann);
  expect(await ann.call(listNotices, {})).toEqual({ notifications: [], unread: 0 });
  await notify({ kind: 'mention', accountIds: [ann.id], interviewId: 'iv_1', shareId: null, actor: 'ben' });
  await notify({ kind: 'opened', accountIds: [ann.id], interviewId: null, shareId: 7, actor: 'Carla Client' });
  await until('the browser is notified', async () =>
    socket.messages.some(({ type }) => type === 'notices-changed') ? true : null,
  );
  const { notifications, unread } = await ann.call(listNotices, {});
  expect(unread).toBe(2);
  expect(notifications).toMatchObject([
    { kind: 'opened', interviewId: null, shareId: 7, actor: 'Carla Client', readAt: null },
    { kind: 'mention', interviewId: 'iv_1', shareId: null, actor: 'ben', readAt: null },
  ]);
  const ids = [notifications[0]?.id ?? 0];
  expect(await ann.call(readNotices, { body: { ids } })).toEqual({ unread: 1 });
  expect((await ann.request({ method: 'POST', url: '/api/notifications/read' })).json()).toEqual({ unread: 0 });
  const read = (await ann.call(listNotices, {})).notifications;
  expect(read.every(({ readAt }) => readAt !== null)).toBe(true);
});

test("a client's first opening and each verdict notify the sender of the link", async () => {
  const { product, sandbox, funnelId } = await start();
  await insertCandidates(product, funnelId);
  const sender = await product.signedIn();
  const link = await shareOne(sender);
  const guest = await openedGuest(product.app, link);
  await guest.open();
  await guest.decide(2, 'yes', 'Please invite Omar.');
  const { notifications, unread } = await sender.call(listNotices, {});
  expect(unread).toBe(2);
  expect(notifications).toMatchObject([
    { kind: 'verdict', interviewId: 'omar', shareId: link.id, actor: 'Ann Lee' },
    { kind: 'opened', interviewId: null, shareId: link.id, actor: 'Ann Lee' },
  ]);
  // Its account has no address.
  expect(sandbox.control.mails()).toEqual([]);
});

test('a client who keeps changing a verdict causes one mail until the sender has read the notice', async () => {
  const { product, sandbox, admin, funnelId } = await start();
  await insertCandidates(product, funnelId);
  const { id } = await admin.call(getUser, {});
  await product.db.updateTable('account').set({ email: 'admin@example.com' }).where('id', '=', id).execute();
  const guest = await openedGuest(product.app, await shareOne(admin));
  for (const verdict of ['yes', 'no', 'yes', 'maybe'] as const) await guest.decide(1, verdict);
  await guest.decide(2, 'no');
  const kinds = async () =>
    (await admin.call(listNotices, {})).notifications.map(({ kind, interviewId }) => [kind, interviewId]);
  const notices = [
    ['verdict', 'omar'],
    ['verdict', 'dana'],
    ['opened', null],
  ];
  expect(await kinds()).toEqual(notices);
  expect((await arrived({ sandbox }, 3)).map(({ subject }) => subject).toSorted()).toEqual([
    'Ann Lee decided on a candidate',
    'Ann Lee decided on a candidate',
    'Ann Lee opened your link',
  ]);
  await admin.call(readNotices, { body: {} });
  await guest.decide(1, 'yes');
  expect(await kinds()).toEqual([['verdict', 'dana'], ...notices]);
  expect(await arrived({ sandbox }, 4)).toHaveLength(4);
});

test("a sender who no longer sees a link's interviews is not notified about its recipient", async () => {
  const { product, admin, funnelId } = await start();
  await insertCandidates(product, funnelId);
  const other = await product.build.funnel(admin, { name: 'Other', funnelId: 'other' });
  await product.db.updateTable('interview').set({ funnel_id: other }).where('id', '=', 'omar').execute();
  const sender = await signedInAs(product, { role: 'recruiter', funnelIds: [funnelId, other] });
  const link = await shareOne(sender);
  const { id } = await sender.call(getUser, {});
  await admin.call(updateAccount, { params: { id }, body: { funnelIds: [funnelId] } });
  const guest = await openedGuest(product.app, link);
  await guest.decide(1, 'yes');
  expect(await sender.call(listNotices, {})).toEqual({ notifications: [], unread: 0 });
  await admin.call(updateAccount, { params: { id }, body: { funnelIds: [funnelId, other] } });
  await guest.decide(1, 'no');
  expect((await sender.call(listNotices, {})).notifications).toMatchObject([{ kind: 'verdict', interviewId: 'dana' }]);
});

test("notices of a link disappear with the right to see one of its interviews, with the client's name", async () => {
  const { product, sandbox, admin, funnelId, person, notify } = await start();
  await insertCandidates(product, funnelId);
  const other = await product.build.funnel(admin, { name: 'Other', funnelId: 'other' });
  await product.db.updateTable('interview').set({ funnel_id: other }).where('id', '=', 'omar').execute();
  const { id: shareId } = await shareOne(admin, { recipients: [{ name: 'Carla Client' }] });
  const ann = await person('ann', [funnelId, other]);
  await ann.call(saveNoticeSettings, { body: { ...NOW, opened: 'daily', expiring: 'daily' } });
  const see = (funnelIds: number[]) => admin.call(updateAccount, { params: { id: ann.id }, body: { funnelIds } });
  for (const kind of ['opened', 'expiring'] as const)
    await notify({ kind, accountIds: [ann.id], interviewId: null, shareId, actor: 'Carla Client' });
  expect((await ann.call(listNotices, {})).unread).toBe(2);
  await see([funnelId]);
  expect(await ann.call(listNotices, {})).toEqual({ notifications: [], unread: 0 });
  expect(await ann.call(readNotices, { body: { ids: [] } })).toEqual({ unread: 0 });
  await see([funnelId, other]);
  expect((await ann.call(listNotices, {})).unread).toBe(2);
  await see([other]);
  await product.db.updateTable('notice').set({ created_at: YESTERDAY }).execute();
  await until('the daily mail is decided', async () => {
    const due = await product.db.selectFrom('notice').select('id').where('is_mail_due', '=', true).execute();
    return due.length === 0 || null;
  });
  await notify({ kind: 'mention', accountIds: [ann.id], interviewId: null, shareId: null, actor: 'ben' });
  expect(await arrived({ sandbox }, 1)).toMatchObject([{ subject: 'ben mentioned you in a comment' }]);
});

test('a reviewer gets no notices about links, also about former ones', async () => {
  const { product, sandbox, admin, funnelId, person, notify } = await start();
  await insertCandidates(product, funnelId);
  const { id: shareId } = await shareOne(admin);
  const ann = await person('ann');
  await ann.call(saveNoticeSettings, { body: { ...NOW, opened: 'daily' } });
  const notice = { accountIds: [ann.id], interviewId: null, shareId } as const;
  await notify({ ...notice, kind: 'opened', actor: 'Carla Client' });
  await admin.call(updateAccount, { params: { id: ann.id }, body: { role: 'reviewer' } });
  await product.db.updateTable('notice').set({ created_at: YESTERDAY }).execute();
  await notify({ ...notice, kind: 'verdict', actor: 'Carla Client', interviewId: 'dana' });
  await notify({ ...notice, kind: 'mention', actor: 'ben', shareId: null });
  expect(await ann.call(listNotices, {})).toMatchObject({ notifications: [{ kind: 'mention' }], unread: 1 });
  await until('the daily mail is decided', async () => {
    const due = await product.db.selectFrom('notice').select('id').where('is_mail_due', '=', true).execute();
    return due.length === 0 || null;
  });
  await notify({ ...notice, kind: 'mention', actor: 'carl', shareId: null });
  expect((await arrived({ sandbox }, 2)).map(({ subject }) => subject)).toEqual([
    'ben mentioned you in a comment',
    'carl mentioned you in a comment',
  ]);
});

test('mails that wait for the mail server are not sent to an account that has lost rights, but to one that gained some', async () => {
  const { product, sandbox, admin, funnelId, person, notify } = await start();
  await insertCandidates(product, funnelId);
  const { id: shareId } = await shareOne(admin);
  const [ann, ben, cleo] = [await person('ann', [funnelId]), await person('ben', [funnelId]), await person('cleo')];
  const outage = sandbox.control.fail({ kind: 'mail-away' });
  const accountIds = [ann.id, ben.id, cleo.id];
  await notify({ kind: 'opened', accountIds, interviewId: null, shareId, actor: 'Carla Client' });
  await admin.call(updateAccount, { params: { id: ann.id }, body: { funnelIds: [] } });
  await admin.call(updateAccount, { params: { id: ben.id }, body: { allFunnels: true } });
  await new Accounts(product.db, createEvents()).remove('cleo');
  const waiting = await product.db.selectFrom('mail').select('content').execute();
  expect(waiting.map(({ content }) => (content as { to?: string }).to)).toEqual(['ben@example.com']);
  outage.stop();
});

test('a mention in a comment notifies the colleague and not the author', async () => {
  const { sandbox, person } = await start();
  const [ann, ben] = [await person('ann'), await person('ben')];
  const body = { body: '@ben and @ann, listen to this.', atSeconds: 3 };
  await ann.call(addComment, { params: { id: 'iv_1' }, body });
  expect((await ben.call(listNotices, {})).notifications).toMatchObject([
    { kind: 'mention', interviewId: 'iv_1', shareId: null, actor: 'ann' },
  ]);
  expect((await ann.call(listNotices, {})).notifications).toEqual([]);
  expect(await arrived({ sandbox }, 1)).toMatchObject([
    { to: ['ben@example.com'], subject: 'ann mentioned you in a comment' },
  ]);
});

test('an account sees only its own notices', async () => {
  const { person, notify } = await start();
  const [ann, ben] = [await person('ann'), await person('ben')];
  await notify({ kind: 'opened', accountIds: [ann.id], interviewId: null, shareId: 7, actor: 'Carla' });
  const [notice] = (await ann.call(listNotices, {})).notifications;
  expect(await ben.call(listNotices, {})).toEqual({ notifications: [], unread: 0 });
  await ben.call(readNotices, { body: { ids: [notice?.id ?? 0] } });
  expect((await ann.call(listNotices, {})).unread).toBe(1);
});

test('accounts without access to the interview get no notice, and losing access hides it', async () => {
  const { product, sandbox, admin, funnelId, person, notify } = await start();
  const [ann, ben] = [await person('ann', [funnelId]), await person('ben', [])];
  await notify({ kind: 'mention', accountIds: [ann.id, ben.id], interviewId: 'iv_1', shareId: null, actor: 'carl' });
  expect((await arrived({ sandbox }, 1)).map(({ to }) => to)).toEqual([['ann@example.com']]);
  expect((await ben.call(listNotices, {})).unread).toBe(0);
  expect((await ann.call(listNotices, {})).unread).toBe(1);
  await admin.call(updateAccount, { params: { id: ann.id }, body: { funnelIds: [] } });
  expect(await ann.call(listNotices, {})).toEqual({ notifications: [], unread: 0 });
  await product.db.deleteFrom('interview').execute();
  expect(await product.db.selectFrom('notice').select('id').execute()).toEqual([]);
});

test('a mail is sent immediately, names no candidate and contains a link', async () => {
  const { sandbox, person, notify } = await start();
  const ann = await person('ann');
  for (const kind of ['opened', 'verdict', 'mention', 'expiring'] as const)
    await notify({ kind, accountIds: [ann.id], interviewId: 'iv_1', shareId: 7, actor: 'Carla' });
  const mails = await arrived({ sandbox }, 4);
  expect(new Set(mails.map(({ subject }) => subject))).toEqual(
    new Set([
      'Carla opened your link',
      'Carla decided on a candidate',
      'Carla mentioned you in a comment',
      'Your link for Carla expires soon and was not opened',
    ]),
  );
  expect(JSON.stringify(mails)).not.toContain('Dana');
  const mention = mails.find(({ subject }) => subject.includes('mentioned'));
  expect(mention?.text).toContain('https://interviews.example/?interview=iv_1');
  expect(mention?.text).toContain('choose "Notices"');
});

test('a notice about a paused webhook is mailed to all administrators, regardless of their settings', async () => {
  const { product, sandbox, admin, person, notify } = await start();
  await person('ann');
  const { id } = await admin.call(getUser, {});
  await product.db.updateTable('account').set({ email: 'admin@example.com' }).where('id', '=', id).execute();
  const off: NoticeSettings = { opened: 'off', verdict: 'off', mention: 'off', expiring: 'off' };
  await admin.call(saveNoticeSettings, { body: off });
  await notify({ kind: 'webhook', accountIds: 'administrators', interviewId: null, shareId: null, actor: 'crm.test' });
  const [mail, ...others] = await arrived({ sandbox }, 1);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: ['admin@example.com'], subject: 'The webhook to crm.test was paused' });
  expect(mail?.text).toContain('https://interviews.example/webhooks');
  expect(mail?.text).toContain('All administrators get this mail');
  expect(mail?.text).not.toContain('"Notices"');
});

test('the default setting is "now", and "off" means neither a mail nor a notice', async () => {
  const { sandbox, person, notify } = await start();
  const ann = await person('ann');
  expect(await ann.call(getNoticeSettings, {})).toEqual(NOW);
  const settings = { ...NOW, opened: 'off' as const };
  expect(await ann.call(saveNoticeSettings, { body: settings })).toEqual(settings);
  expect(await ann.call(getNoticeSettings, {})).toEqual(settings);
  await notify({ kind: 'opened', accountIds: [ann.id], interviewId: null, shareId: 7, actor: 'Carla' });
  await notify({ kind: 'verdict', accountIds: [ann.id], interviewId: null, shareId: 7, actor: 'Carla' });
  expect(await arrived({ sandbox }, 1)).toMatchObject([{ subject: 'Carla decided on a candidate' }]);
  expect((await ann.call(listNotices, {})).notifications).toMatchObject([{ kind: 'verdict' }]);
});

test('daily notices appear immediately, and unread ones are mailed together the next morning', async () => {
  const { product, sandbox, person, notify } = await start();
  const ann = await person('ann');
  await ann.call(saveNoticeSettings, { body: { ...NOW, opened: 'daily', verdict: 'daily' } });
  for (const actor of ['Carla', 'Dora', 'Emil'])
    await notify({ kind: 'opened', accountIds: [ann.id], interviewId: null, shareId: 7, actor });
  const { notifications, unread } = await ann.call(listNotices, {});
  expect(unread).toBe(3);
  await ann.call(readNotices, { body: { ids: [notifications[0]?.id ?? 0] } });
  await notify({ kind: 'mention', accountIds: [ann.id], interviewId: null, shareId: null, actor: 'ben' });
  expect(await arrived({ sandbox }, 1)).toMatchObject([{ subject: 'ben mentioned you in a comment' }]);
  await product.db.updateTable('notice').set({ created_at: YESTERDAY }).execute();
  const [, daily] = await arrived({ sandbox }, 2);
  expect(daily).toMatchObject({ subject: '2 notices of the last day', to: ['ann@example.com'] });
  expect(daily?.text).toMatch(/Carla opened your link\.\n\nDora opened your link\./);
  expect(daily?.text).not.toContain('Emil');
  const due = () => product.db.selectFrom('notice').select('id').where('is_mail_due', '=', true).execute();
  expect(await due()).toEqual([]);
});

test('a test mail reports whether mail works', async () => {
  const { sandbox, product } = await start();
  const admin = await product.signedIn();
  const send = () => admin.call(sendTestMail, { body: { to: 'ann@example.com' } });
  expect(await send()).toEqual({ message: 'The mail server accepted a mail to ann@example.com.' });
  expect(sandbox.control.mails()).toMatchObject([{ to: ['ann@example.com'] }]);
  sandbox.control.fail({ kind: 'mail-refuses', code: 550, message: 'Relaying denied' });
  expect(await refusal(send())).toMatchObject({
    ...{ status: 502 },
    body: { message: 'The mail server rejected the mail (550 Relaying denied).' },
  });
  const withoutMail = await startApp({ jobs: false });
  const other = await withoutMail.signedIn();
  expect(await refusal(other.call(sendTestMail, { body: { to: 'ann@example.com' } }))).toMatchObject({
    ...{ status: 409 },
    body: { message: "Mail isn't set up. Ask an admin to set SMTP_URL and MAIL_FROM." },
  });
});
