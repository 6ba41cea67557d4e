import { z } from 'zod';
import type { UpstreamError } from '#server/ports/upstream-error.ts';
import type { GoogleAnswer } from './google-call.ts';
import type { GoogleHttp } from './google-http.ts';
import { badAnswer, CONNECT_AGAIN, refusalError, youtubeError } from './youtube-error.ts';

/** What a client of ours at Google, and the permission that an account has given it, are known by. All of it is secret. */
export interface Permission {
  clientId: string;
  clientSecret: string;
  refreshToken: string;
}

/** Printable, as it stands in a header. */
const Token = z.object({ access_token: z.string().regex(/^[\x21-\x7e]+$/), expires_in: z.number().catch(3_600) });
/** What is sent with a token arrives later, and clocks run differently. */
const RENEWED_BEFORE_MS = 60_000;

/**
 * Short-lived access tokens for a lasting permission (https://developers.google.com/identity/protocols/oauth2/native-app#offline).
 * One is shared by all callers until shortly before it expires, and one exchange by all who wait for it.
 */
export class AccessTokens {
  readonly #http: GoogleHttp;
  readonly #tokenUrl: string;
  readonly #permission: Permission;
  #current: { token: string; goodUntil: number } | null = null;
  #exchange: Promise<string> | null = null;

  constructor(http: GoogleHttp, tokenUrl: string, permission: Permission) {
    this.#http = http;
    this.#tokenUrl = tokenUrl;
    this.#permission = permission;
  }

  /** One try. @throws UpstreamError, or the signal's reason */
  async get(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    if (this.#current && Date.now() < this.#current.goodUntil) return this.#current.token;
    // Nobody's signal ends it: others wait for the same one.
    this.#exchange ??= this.#renew().finally(() => {
      this.#exchange = null;
    });
    return unlessAborted(this.#exchange, signal);
  }

  /** Google refuses this token: the next caller gets another one. */
  refused(token: string): void {
    if (this.#current?.token === token) this.#current = null;
  }

  async #renew(): Promise<string> {
    const { clientId, clientSecret, refreshToken } = this.#permission;
    const answer = await askForTokens(this.#http, this.#tokenUrl, {
      client_id: clientId,
      client_secret: clientSecret,
      refresh_token: refreshToken,
      grant_type: 'refresh_token',
    });
    const token = Token.safeParse(answer.json);
    if (!token.success) throw badAnswer();
    const lifetimeMs = token.data.expires_in * 1_000;
    const goodUntil = Date.now() + lifetimeMs - Math.min(RENEWED_BEFORE_MS, lifetimeMs / 2);
    this.#current = { token: token.data.access_token, goodUntil };
    return token.data.access_token;
  }
}

const never = new AbortController().signal;

/** Any call of the token endpoint that Google grants. @throws UpstreamError */
export async function askForTokens(http: GoogleHttp, url: string, form: Record<string, string>): Promise<GoogleAnswer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(form).toString();
  const answer = await http.exchange({ method: 'POST', url, headers, body }, never);
  if (answer.status !== 200) throw notGranted(answer, form.grant_type);
  return answer;
}

const CLIENT_ERRORS = ['invalid_client', 'unauthorized_client', 'deleted_client', 'disabled_client'];
const NotGranted = z.object({ error: z.string() });

/** RFC 6749, section 5.2. */
function notGranted(answer: GoogleAnswer, grant: string | undefined): UpstreamError {
  const reason = NotGranted.safeParse(answer.json).data?.error ?? '';
  if (reason === 'invalid_grant' && grant === 'authorization_code')
    return youtubeError(
      'rejected',
      'Google does not accept the code: it is too old, or was used already. Please start again.',
    );
  if (reason === 'invalid_grant')
    return youtubeError('unauthorised', `YouTube no longer accepts our permission. ${CONNECT_AGAIN}`);
  if (CLIENT_ERRORS.includes(reason))
    return youtubeError(
      'unauthorised',
      'Google does not accept our client. An administrator should check YOUTUBE_CLIENT_ID and YOUTUBE_CLIENT_SECRET.',
    );
  return refusalError(answer);
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
