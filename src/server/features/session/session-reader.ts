import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../db/database.ts';
import type { SessionReader, SignedIn } from '../../http/session-guard.ts';
import type { LiveBus } from '../../live/bus.ts';
import { findSession, moveSessionEnd } from './session.repo.ts';
import type { SessionCache } from './session-cache.ts';
import { readToken, setSessionCookie } from './session-cookie.ts';
import { endOf, extensionDue, secondsUntil } from './session-life.ts';
import type { KeyedHash } from './session-token.ts';

/** A connection can die without a word; no session is believed for longer than this without asking the database. */
const TRUST_MS = 60_000;

interface ReaderDependencies {
  db: Database;
  bus: LiveBus;
  cache: SessionCache;
  hash: KeyedHash;
  clock: () => number;
}

/** Answers the guard from memory. Where the process cannot hear of ended sessions, every request asks the database. */
export class CachedSessionReader implements SessionReader {
  readonly #on: ReaderDependencies;

  constructor(dependencies: ReaderDependencies) {
    this.#on = dependencies;
  }

  read(request: FastifyRequest, reply: FastifyReply): SignedIn | null | Promise<SignedIn | null> {
    const token = readToken(request);
    if (token === null) return null;
    const { bus, cache, clock } = this.#on;
    const known = bus.connected ? cache.get(token, clock()) : undefined;
    return known ?? this.#lookUp(token, request, reply);
  }

  async #lookUp(token: string, request: FastifyRequest, reply: FastifyReply): Promise<SignedIn | null> {
    const { bus, cache, clock, db } = this.#on;
    const hash = this.#on.hash(token);
    const { generation } = cache;
    const now = clock();
    const session = await findSession(db, hash, now);
    if (!session) return null;

    const times = { remembered: session.remembered, startedAt: session.createdAt.getTime() };
    let expiresAt = session.expiresAt.getTime();
    if (now >= extensionDue(times, expiresAt)) {
      expiresAt = endOf(times, now);
      if (!(await moveSessionEnd(db, hash, expiresAt))) return null;
      if (session.remembered) setSessionCookie(request, reply, { token, maxAgeSeconds: secondsUntil(expiresAt, now) });
    }
    const signedIn = { accountId: session.accountId, username: session.username };
    const freshUntil = Math.min(now + TRUST_MS, extensionDue(times, expiresAt), expiresAt);
    if (bus.connected) cache.put(token, { signedIn, hash, freshUntil }, generation);
    return signedIn;
  }
}
