import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import { type SmtpOptions, smtpMailer } from '#server/adapters/mailer-smtp/smtp-mailer.ts';
import type { Mailer } from '#server/ports/mailer.ts';
import { freePorts } from '#support/free-ports.ts';
import { sandboxOfFile } from '#support/start-sandbox.ts';
import { CA_FILE, type CertificateName, certificateOf } from '#support/tls/certificates.ts';

const FROM = 'Video interviews <interviews@example.com>';
const ADAPTERS: Record<string, (options: Omit<SmtpOptions, 'from' | 'needsTls'> & { needsTls?: boolean }) => Mailer> = {
  smtp: (options) => smtpMailer({ from: FROM, needsTls: false, ...options }),
};
const never = new AbortController().signal;
const MAIL = {
  messageId: '<1@example.com>',
  to: 'ann@example.com',
  subject: 'Grüße – “hello”',
  text: 'Hello Ann,\n\nhttps://interviews.example/a?b=c&d=%20\n.\nBye',
  html: '<p>Hello <b>Ann</b></p>',
};

const sandbox = await sandboxOfFile();

/** A mail server with the certificate of the private CA. Keeps the raw mails. */
async function startServer(options: SMTPServerOptions & { certificate?: CertificateName } = {}) {
  const { certificate = 'server', ...more } = options;
  const received: string[] = [];
  const server = new SMTPServer({
    ...certificateOf(certificate),
    authOptional: true,
    disableReverseLookup: true,
    onData: (stream, _session, done) =>
      void buffer(stream).then((mail) => {
        received.push(mail.toString());
        done();
      }),
    ...more,
  });
  server.on('error', () => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as AddressInfo).port, received };
}

describe.each(Object.entries(ADAPTERS))('mails: %s', (_, adapter) => {
  const mailer = (url = sandbox.smtpUrl) => adapter({ url, connectTimeoutMs: 2_000, idleTimeoutMs: 2_000 });
  const problem = (work: Promise<void>) => work.then(() => null).catch((error: Error) => error);

  test('a mail arrives as it was given, as text and as HTML', async () => {
    await mailer().check();
    await mailer().send(MAIL, never);
    expect(sandbox.control.mails()).toEqual([
      {
        ...{ ...MAIL, to: ['ann@example.com'], from: 'interviews@example.com', deliveries: 1 },
        receivedAt: expect.any(String),
      },
    ]);
  });

  test('neither the subject nor the address can add a recipient or a header', async () => {
    const tricky = { ...MAIL, subject: 'Hello\r\nBcc: eve@example.com', to: 'ann@example.com,eve@example.com' };
    await problem(mailer().send(tricky, never));
    await mailer().send({ ...tricky, messageId: '<2@example.com>', to: 'ann@example.com' }, never);
    const mails = sandbox.control.mails();
    expect(mails.flatMap(({ to }) => to)).not.toContain('eve@example.com');
    expect(mails.at(-1)).toMatchObject({ to: ['ann@example.com'], subject: 'Hello Bcc: eve@example.com' });
  });

  test.each<[does: string, FaultInput, kind: string, message: RegExp]>([
    ['is away', { kind: 'mail-away' }, 'unavailable', /^The mail server can't be reached \(/],
    [
      'is busy',
      { kind: 'mail-refuses', at: 'connect', code: 421, message: 'Too busy.' },
      'unavailable',
      /^The mail server doesn't accept the mail at the moment \(421 Too busy\)\.$/,
    ],
    ['delays strangers', { kind: 'mail-refuses', code: 450 }, 'unavailable', /\(450 Try again later\)/],
    [
      'refuses recipients',
      { kind: 'mail-refuses', code: 550, message: 'No such user' },
      'rejected',
      /550 No such user/,
    ],
    ['refuses mails', { kind: 'mail-refuses', at: 'data', code: 554 }, 'rejected', /rejected the mail \(554/],
    ['does not answer', { kind: 'latency', ms: 60_000, on: 'mail' }, 'unavailable', /didn't respond in time/],
    ['breaks down after the mail', { kind: 'mail-response-lost' }, 'unavailable', /can't be reached/],
  ])('a server that %s causes an error', async (_does, fault, kind, message) => {
    sandbox.control.fail(fault);
    expect(await problem(mailer().send(MAIL, never))).toMatchObject({
      ...{ service: 'mail', kind },
      message: expect.stringMatching(message),
    });
  });

  test('a wrong password is reported without retries', async () => {
    const error = await problem(mailer(sandbox.smtpUrl.replace('mail-password', 'hunter2%40')).check());
    expect(error).toMatchObject({
      kind: 'unauthorised',
      message: expect.stringMatching(/^The mail server rejected our username and password .*check SMTP_URL\.$/),
    });
    expect(String(error)).not.toContain('hunter2');
  });

  test('an unreachable server, and one that does not speak SMTP, cause an error', async () => {
    const [dead = 0] = await freePorts(1);
    expect(await problem(mailer(`smtp://127.0.0.1:${dead}`).check())).toMatchObject({
      message: "The mail server can't be reached (ECONNREFUSED). Ask an admin to check SMTP_URL.",
    });
    const web = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1');
    await once(web, 'listening');
    onTestFinished(() => void web.close());
    const { port } = web.address() as AddressInfo;
    expect(await problem(mailer(`smtp://127.0.0.1:${port}`).check())).toMatchObject({ service: 'mail' });
    expect(await problem(mailer(sandbox.smtpUrl.replace('smtp:', 'smtps:')).check())).toMatchObject({
      message: "The mail server doesn't speak TLS at this port. Ask an admin to check SMTP_URL.",
    });
  });

  test('a canceled mail ends at once', async () => {
    sandbox.control.fail({ kind: 'latency', ms: 60_000, on: 'mail' });
    const stop = new AbortController();
    const sent = problem(adapter({ url: sandbox.smtpUrl }).send(MAIL, stop.signal));
    setTimeout(() => stop.abort(), 200);
    expect(await sent).toMatchObject({
      message: "The mail server didn't respond in time. Ask an admin to check SMTP_URL.",
    });
  });

  describe('encryption', () => {
    const authorities = getCACertificates();
    beforeAll(() => setDefaultCACertificates([...authorities, readFileSync(CA_FILE, 'utf8')]));
    afterAll(() => setDefaultCACertificates(authorities));

    test.each(['smtp', 'smtps'])('%s:// accepts a certificate of a private CA', async (scheme) => {
      const { port, received } = await startServer({ secure: scheme === 'smtps' });
      await adapter({ url: `${scheme}://localhost:${port}`, needsTls: true }).send(MAIL, never);
      expect(received).toEqual([expect.stringContaining('Message-ID: <1@example.com>')]);
    });

    test.each<[CertificateName, string]>([
      ['expired', "its certificate has expired or isn't valid yet"],
      ['other', 'its certificate is for another host name'],
    ])('a rejected certificate (%s) is reported', async (certificate, message) => {
      const { port, received } = await startServer({ certificate });
      const error = await problem(adapter({ url: `smtp://localhost:${port}` }).send(MAIL, never));
      expect(error?.message).toContain(`The mail server can't be reached: ${message}`);
      expect(received).toEqual([]);
    });

    test('a server on the internet must offer encryption', async () => {
      const { port, received } = await startServer({ disabledCommands: ['STARTTLS'] });
      const error = await problem(adapter({ url: `smtp://localhost:${port}`, needsTls: true }).send(MAIL, never));
      expect(error?.message).toBe('The mail server offers no encryption (STARTTLS). Ask an admin to check SMTP_URL.');
      expect(received).toEqual([]);
    });
  });
});
