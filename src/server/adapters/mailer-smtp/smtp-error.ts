import { refusedTunnel, unreachable } from '#server/adapters/outside-http/outgoing-proxy.ts';
import { findReason, quotedMessage } from '#server/adapters/outside-http/outside-call.ts';
import { findTlsProblem } from '#server/ports/tls-problem.ts';
import { UpstreamError, type UpstreamErrorKind } from '#server/ports/upstream-error.ts';

const SERVICE = 'mail';

/** The fields that nodemailer adds to errors. */
interface SmtpFailure extends Error {
  code?: string;
  /** The error code of the operating system or OpenSSL. */
  originalCode?: string;
  /** The last reply of the server. */
  response?: string;
  responseCode?: number;
}

/** Explains an error from nodemailer. Proxy errors are only recognized behind a proxy. */
export function readSmtpError(error: unknown, isBehindProxy: boolean): UpstreamError {
  const failure = error as SmtpFailure;
  const { responseCode: status } = failure;
  if (failure.code === 'EAUTH' && status !== undefined && status >= 500)
    return smtpError('unauthorised', `rejected our username and password${replyOf(failure)}. ${CHECK}`, error);
  if (failure.code === 'ENOAUTH')
    return smtpError('unauthorised', `requires a username and a password. ${CHECK}`, error);
  if (failure.code === 'ETLS') return smtpError('unavailable', connectionProblem(failure, isBehindProxy), error);
  if (status !== undefined && status >= 400) {
    const kind = status >= 500 ? 'rejected' : 'unavailable';
    const what = kind === 'rejected' ? 'rejected the mail' : "doesn't accept the mail at the moment";
    return smtpError(kind, `${what}${replyOf(failure)}.`, error);
  }
  if (failure.code === 'EPROTOCOL') return smtpError('bad_response', `isn't an SMTP server. ${CHECK}`, error);
  return smtpError('unavailable', connectionProblem(failure, isBehindProxy), error);
}

const CHECK = 'Ask an admin to check SMTP_URL.';

/** nodemailer's codes for failed connections. */
const OWN_CODES: readonly string[] = ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EDNS', 'ETLS'];

function connectionProblem(failure: SmtpFailure, isBehindProxy: boolean): string {
  if (isBehindProxy && failure.code === 'EPROXY') {
    const status = /: (\d{3})$/.exec(failure.message)?.[1];
    return `can't be reached: ${status ? refusedTunnel(Number(status)) : unreachable(failure)}`;
  }
  // For errors of the mail server, nodemailer sets its own code and keeps the original one.
  if (isBehindProxy && !OWN_CODES.includes(failure.code ?? '')) return `can't be reached: ${unreachable(failure)}`;
  const original = Object.assign(new Error(failure.message), { code: failure.originalCode ?? failure.code });
  if (findTlsProblem(original) === 'no_tls') return `doesn't speak TLS at this port. ${CHECK}`;
  const reason = findReason(original, 'SMTP_URL');
  if (reason) return `can't be reached: ${reason}`;
  if (failure.code === 'ETLS') return `offers no encryption (STARTTLS). ${CHECK}`;
  if (failure.code === 'ETIMEDOUT' || failure.code === 'EABORT') return `didn't respond in time. ${CHECK}`;
  return `can't be reached (${original.code ?? 'unknown'}). ${CHECK}`;
}

function replyOf({ response = '' }: SmtpFailure): string {
  const quoted = quotedMessage(response, '');
  return quoted ? ` (${quoted.replace(/\.$/, '')})` : '';
}

const smtpError = (kind: UpstreamErrorKind, what: string, cause: unknown) =>
  new UpstreamError(SERVICE, kind, `The mail server ${what}`, { cause });
