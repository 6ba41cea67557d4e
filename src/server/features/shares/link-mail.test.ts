import { beforeAll, beforeEach, expect, test } from 'vitest';
import { renewShareLink } from '#contracts/shares.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import { type Person, refusal } from '#support/call.ts';
import { candidateCommand, tablesWith } from '#support/candidate.ts';
import { inDays, insertCandidates, openedGuest, share, shareOne } from '#support/sharing.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';

let sandbox: Sandbox;
let product: TestApp;
let recruiter: Person;

beforeAll(async () => {
  const cleanup = new AsyncDisposableStack();
  sandbox = await startSandbox(async (close) => cleanup.defer(close));
  const { SMTP_URL = '', MAIL_FROM = '' } = productVariables(sandbox);
  product = await startApp({ env: { SMTP_URL, MAIL_FROM }, onFinished: (clear) => cleanup.defer(clear) });
  recruiter = await product.signedIn();
  const funnelId = await product.build.funnel(recruiter, { source: 'upload', funnelId: 'nurses' });
  await insertCandidates(product, funnelId);
  return () => cleanup.disposeAsync();
});

beforeEach(() => sandbox.control.reset());

const arrived = (count: number) =>
  until(`${count} mails arrive`, async () => {
    const mails = sandbox.control.mails();
    return mails.length >= count ? mails : null;
  });

test('links are sent to their recipients, the subject names no candidate, and hidden names are hidden', async () => {
  const shows = { name: 'hidden', contact: false, transcript: true, summary: true, questions: true } as const;
  const links = await share(recruiter, {
    recipients: [
      { name: 'Ann Lee', email: 'ann@client.example' },
      { name: 'Bo Park', email: 'bo@client.example' },
    ],
    ...{ title: 'Dana Moore', message: 'Dana is a nurse.', shows, passcode: '4711', send: true },
    expiresAt: `${inDays(14).slice(0, 10)}T21:30:00Z`,
  });
  const mails = (await arrived(2)).toSorted((a, b) => String(a.to).localeCompare(String(b.to)));
  for (const [at, mail] of mails.entries()) {
    expect(mail).toMatchObject({ subject: 'admin shared candidates with you' });
    expect(mail.text).toContain(links[at]?.link);
    expect(mail.text).toContain('Candidate 1 is a nurse.');
    expect(mail.text).toContain('admin has a passcode for you.');
    expect(mail.text).toMatch(/works until \w+ \d+, \d{4} at 9:30\sPM UTC\./);
    expect(JSON.stringify(mail)).not.toMatch(/Dana|Moore/);
  }
  expect((await openedGuest(product.app, links[0] ?? { link: '' }, '4711')).cookie).toBeDefined();
});

test("half a surrogate pair in the message is replaced, because PostgreSQL's JSON rejects it", async () => {
  await shareOne(recruiter, { message: `Hello${'😀'.charAt(0)}`, send: true });
  expect((await arrived(1))[0]?.text).toContain('Hello\u{fffd}');
});

test('without send, no mail is sent, and sending requires an address for every recipient', async () => {
  const { id } = await shareOne(recruiter);
  await recruiter.call(renewShareLink, { params: { id } });
  const refused = await refusal(share(recruiter, { recipients: [{ name: 'Bo Park' }], send: true }));
  expect(refused.body).toMatchObject({ code: 'invalid_input', field: 'recipients' });
  await shareOne(recruiter, { send: true });
  expect(await arrived(1)).toHaveLength(1);
});

test('an erasure removes the candidate from an unsent mail', async () => {
  const away = sandbox.control.fail({ kind: 'mail-away' });
  const [link] = await share(recruiter, { message: 'Dana Moore and Omar.', send: true });
  await candidateCommand(product, ['erase', 'dana.moore@example.com', '--yes']);
  expect(await tablesWith(product, ['Dana Moore'])).toEqual([]);
  away.stop();
  const [waiting] = await product.db.selectFrom('mail').select('content').execute();
  expect(waiting?.content).toMatchObject({ paragraphs: expect.arrayContaining(['[erased] and Omar.']) });
  expect((await openedGuest(product.app, link ?? { link: '' })).cookie).toBeDefined();
});
