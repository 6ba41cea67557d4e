import { getNoticeSettings, listNotices, readNotices, saveNoticeSettings, sendTestMail } from '#contracts/notices.ts';
import { AttemptLimit } from '#server/attempt-limit.ts';
import type { Mail } from '#server/features/mail/mail.service.ts';
import type { App } from '#server/http/app.ts';
import { signedInUser } from '#server/http/guards/session-guard.ts';
import { route } from '#server/http/route.ts';
import type { Notices } from './notices.service.ts';

const MAX_TESTS_PER_MINUTE = 10;
/** Short, because the administrator waits for the response. */
const TEST_TIMEOUT_MS = 20_000;

export function noticeRoutes(app: App, { notices, mail }: { notices: Notices; mail: Mail }): void {
  const tests = new AttemptLimit(MAX_TESTS_PER_MINUTE, 'Too many test mails. Try again in a minute.');

  route(app, listNotices, (_input, { request }) => notices.list(signedInUser(request)));

  route(app, readNotices, async ({ body }, { request }) => ({
    unread: await notices.markRead(signedInUser(request), body.ids),
  }));

  route(app, getNoticeSettings, (_input, { request }) => notices.findSettings(signedInUser(request).accountId));

  route(app, saveNoticeSettings, async ({ body }, { request }) => {
    await notices.saveSettings(signedInUser(request).accountId, body);
    return body;
  });

  route(app, sendTestMail, async ({ body: { to } }, { request }) => {
    tests.spend(String(signedInUser(request).accountId));
    await mail.sendTest(to, AbortSignal.timeout(TEST_TIMEOUT_MS));
    return { message: `The mail server accepted a mail to ${to}.` };
  });
}
