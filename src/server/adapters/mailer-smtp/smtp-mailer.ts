import { createTransport } from 'nodemailer';
import type { SMTPTransportOptions } from 'nodemailer/lib/smtp-transport';
import { isProxied, type OutgoingProxy } from '#server/adapters/outside-http/outgoing-proxy.ts';
import type { Mailer } from '#server/ports/mailer.ts';
import { rememberSecret } from '#server/ports/sent-secrets.ts';
import { reportFailedCall } from '#server/ports/upstream-error.ts';
import { readSmtpError } from './smtp-error.ts';

export interface SmtpOptions {
  /** `smtp://NAME:PASSWORD@HOST:PORT`, or `smtps://…` for TLS from the first byte. */
  url: string;
  /** `ann@example.com`, or `Ann <ann@example.com>`. */
  from: string;
  /** True: with `smtp://`, the server must offer TLS (STARTTLS). */
  needsTls: boolean;
  proxy?: OutgoingProxy | undefined;
  connectTimeoutMs?: number;
  /**
   * For a silent connection. Servers may take ten minutes after the last byte of a mail (RFC 5321,
   * section 4.5.3.2.6). A shorter timeout would send mails twice.
   */
  idleTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 10 * 60_000;
/** Short, because a user is waiting for the check. */
const CHECK_TIMEOUT_MS = 10_000;

/** A mail server that accepts mails over SMTP (RFC 5321, RFC 6409). */
export function smtpMailer(options: SmtpOptions): Mailer {
  const { from, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  const isBehindProxy = proxyOf(options) !== undefined;
  const attempt = async (work: Promise<unknown>) => {
    try {
      await work;
    } catch (error) {
      const problem = readSmtpError(error, isBehindProxy);
      reportFailedCall(problem);
      throw problem;
    }
  };
  return {
    async send({ to, ...message }, signal) {
      signal.throwIfAborted();
      const transport = createTransport(transportOptions(options, idleTimeoutMs));
      // As an object, the address is never parsed as a list.
      const mail = { ...message, from, to: { name: '', address: to }, signal };
      await attempt(transport.sendMail({ ...mail, disableFileAccess: true, disableUrlAccess: true }));
    },
    async check() {
      const transport = createTransport(transportOptions(options, CHECK_TIMEOUT_MS));
      await attempt(transport.verify());
    },
  };
}

function transportOptions(options: SmtpOptions, socketTimeout: number): SMTPTransportOptions {
  const { needsTls, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  const url = new URL(options.url);
  const [user, pass] = [url.username, url.password].map(decodeURIComponent);
  if (pass) rememberSecret(pass);
  const proxy = proxyOf(options);
  return {
    host: plainHost(url),
    ...(url.port && { port: Number(url.port) }),
    secure: url.protocol === 'smtps:',
    requireTLS: needsTls,
    ...(user && { auth: { user, pass: pass ?? '' } }),
    ...(proxy && { proxy: proxy.url }),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout,
  };
}

/** Also undefined if the server is exempt from the proxy. */
const proxyOf = ({ url, proxy }: SmtpOptions): OutgoingProxy | undefined =>
  proxy && isProxied(proxy, plainHost(new URL(url))) ? proxy : undefined;

const plainHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
