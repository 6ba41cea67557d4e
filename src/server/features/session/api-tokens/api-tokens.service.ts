import type { z } from 'zod';
import type { ApiToken, CreatedApiToken, NewApiToken } from '#contracts/api-tokens.ts';
import { MAX_API_TOKENS, MAX_TOKEN_DAYS } from '#contracts/rules/limits.ts';
import { AppError } from '#server/app-error.ts';
import { AttemptLimit } from '#server/attempt-limit.ts';
import type { Database } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { lockAccount } from '#server/features/session/accounts/accounts.repo.ts';
import { findAdministered } from '#server/features/session/accounts/administered-accounts.repo.ts';
import { viewSignedIn } from '#server/features/session/accounts/signed-in.repo.ts';
import type { CachedSession } from '#server/features/session/sessions/cached-sessions.ts';
import { CachedSessions } from '#server/features/session/sessions/cached-sessions.ts';
import { hashBytes } from '#server/features/session/sessions/session-token.ts';
import type { FoundSession, SessionReader, SignedIn } from '#server/http/guards/session-guard.ts';
import type { LiveBus } from '#server/live/bus.ts';
import { currentActor } from '#server/request-context.ts';
import type { ApiTokenRow } from './api-tokens.repo.ts';
import * as repo from './api-tokens.repo.ts';
import { hashOf, isApiToken, newApiToken, prefixOf } from './token-text.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Expired tokens are listed for this long, so that users see which programs need a new one. */
const KEPT_DAYS = 30;

export interface ApiTokensDeps {
  db: Database;
  bus: LiveBus;
  events: Events;
  /** The request count of a token in this process. */
  perMinute: number;
  /** Milliseconds since 1970. */
  clock?: () => number;
}

/** Programs call the API with a token, which has some of its account's rights. */
export class ApiTokens implements SessionReader {
  readonly #deps: ApiTokensDeps;
  readonly #clock: () => number;
  readonly #cached: CachedSessions;
  readonly #limit: AttemptLimit;

  constructor(deps: ApiTokensDeps) {
    const { bus, perMinute, clock = Date.now } = deps;
    this.#deps = deps;
    this.#clock = clock;
    this.#cached = new CachedSessions({ bus, clock, read: (token, now) => this.#read(token, now) });
    const rate = `${perMinute.toLocaleString('en-US')} requests a minute`;
    this.#limit = new AttemptLimit(perMinute, `An API token may send ${rate}. Send the next one later.`);
  }

  /** @throws AppError `too_many_requests` for a token that sends too many */
  findSession(token: string | null): FoundSession | null | Promise<FoundSession | null> {
    if (token === null || !isApiToken(token)) return null;
    const found = this.#cached.find(token);
    return found instanceof Promise ? found.then((read) => read && this.#count(read)) : this.#count(found);
  }

  async list(accountId: number): Promise<ApiToken[]> {
    return (await repo.listTokensOf(this.#deps.db, accountId)).map(viewToken);
  }

  /** @throws AppError `not_found` */
  async listOfOther(accountId: number): Promise<ApiToken[]> {
    if (!(await findAdministered(this.#deps.db, accountId)))
      throw new AppError('not_found', 'This account no longer exists.');
    return this.list(accountId);
  }

  /** @throws AppError `invalid_input`, `forbidden` for scopes that the role lacks, or `conflict` */
  async create({ accountId, username, role }: SignedIn, input: z.output<typeof NewApiToken>): Promise<CreatedApiToken> {
    const { name, scopes } = input;
    if (role === 'reviewer' && scopes.some((scope) => scope !== 'read'))
      throw new AppError('forbidden', 'With the role reviewer, an API token can only have the scope read.');
    const expiresAt = this.#expectExpiry(input.expiresAt);
    const token = newApiToken();
    const { db, events } = this.#deps;
    return await db.transaction().execute(async (tx) => {
      await lockAccount(tx, accountId);
      if ((await repo.listTokensOf(tx, accountId)).length >= MAX_API_TOKENS)
        throw new AppError('conflict', `You have ${MAX_API_TOKENS} API tokens. Revoke one to create another.`);
      const id = await repo.insertToken(tx, {
        account_id: accountId,
        name,
        scopes,
        token_hash: hashBytes(hashOf(token)),
        prefix: prefixOf(token),
        expires_at: expiresAt,
        created_at: new Date(this.#clock()),
      });
      const created = { name, scopes, expiresAt: expiresAt.toISOString() };
      await events.record(tx, 'api-token.created', { tokenId: id, accountId, username, ...created });
      return { id, ...created, token };
    });
  }

  /** @throws AppError `not_found` for a token of another account, unless an administrator asks */
  async revoke(id: number, { accountId: callerId, role }: SignedIn): Promise<void> {
    const { db, events } = this.#deps;
    const accountId = await db.transaction().execute(async (tx) => {
      const revoked = await repo.deleteToken(tx, id, role === 'administrator' ? null : callerId);
      if (!revoked) throw new AppError('not_found', 'This API token no longer exists.');
      await events.record(tx, 'api-token.revoked', { tokenId: id, ...revoked, isOwn: revoked.accountId === callerId });
      return revoked.accountId;
    });
    this.evictAccount(accountId);
  }

  /** Call it after the rights of an account changed. */
  evictAccount(accountId: number): void {
    this.#cached.evictAccount(accountId);
  }

  /** Call it every hour. */
  deleteExpired(): Promise<void> {
    return repo.deleteTokensExpiredBefore(this.#deps.db, this.#clock() - KEPT_DAYS * DAY_MS);
  }

  /** Reads a token, caches it for at most a minute, and stores its use once a minute. */
  async #read(token: string, now: number): Promise<CachedSession | null> {
    const { db } = this.#deps;
    const hash = hashOf(token);
    const row = await repo.findToken(db, hash, now);
    if (!row) return null;
    const [before, usedAt] = [now - MINUTE_MS, row.lastUsedAt?.getTime() ?? 0];
    if (usedAt <= before) await repo.updateTokenUse(db, row.id, { now, before, address: currentActor().address });
    const freshUntil = Math.min(now + MINUTE_MS, row.expiresAt.getTime());
    return { signedIn: { ...viewSignedIn(row), scopes: row.scopes }, hash, freshUntil };
  }

  #count(found: CachedSession): CachedSession {
    this.#limit.spend(found.hash);
    return found;
  }

  #expectExpiry(text: string): Date {
    const [expiresAt, now] = [new Date(text), this.#clock()];
    if (expiresAt.getTime() > now && expiresAt.getTime() <= now + MAX_TOKEN_DAYS * DAY_MS) return expiresAt;
    const message = `expiresAt must be in the future, at most ${MAX_TOKEN_DAYS} days from now`;
    throw new AppError('invalid_input', message, { field: 'expiresAt' });
  }
}

const viewToken = (row: ApiTokenRow): ApiToken => ({
  ...{ id: row.id, name: row.name, scopes: row.scopes, prefix: row.prefix },
  expiresAt: row.expires_at.toISOString(),
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  lastUsedAddress: row.last_used_address,
});
