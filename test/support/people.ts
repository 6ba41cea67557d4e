import { randomUUID } from 'node:crypto';
import type { Role } from '#contracts/rules/roles.ts';
import { insertSession } from '#server/features/session/sessions/session.repo.ts';
import { hashBytes, keyedHash, newToken } from '#server/features/session/sessions/session-token.ts';
import { Person } from './call.ts';
import { SESSION_SECRET, type TestApp } from './start-app.ts';

interface NewPerson {
  role: Role;
  /** The funnels that the account sees. Default: all of them. */
  funnelIds?: readonly number[];
  /** Default: a name that no other account has. */
  username?: string;
}

const HOUR_MS = 60 * 60_000;

/**
 * Signs in a new account without the time that a password takes. Its password is the one of the
 * first account.
 */
export async function signedInAs(
  { app, db }: Pick<TestApp, 'app' | 'db'>,
  { role, funnelIds, username = `${role}-${randomUUID().slice(0, 8)}` }: NewPerson,
): Promise<Person> {
  const { password_hash } = await db
    .selectFrom('account')
    .select('password_hash')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const { id: accountId } = await db
    .insertInto('account')
    .values({ username, password_hash, role, all_funnels: funnelIds === undefined })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (funnelIds && funnelIds.length > 0)
    await db
      .insertInto('account_funnel')
      .values(funnelIds.map((funnelId) => ({ account_id: accountId, funnel_id: funnelId })))
      .execute();
  const [token, now] = [newToken(), Date.now()];
  await insertSession(db, {
    token_hash: hashBytes(keyedHash(SESSION_SECRET)(token)),
    account_id: accountId,
    remembered: false,
    expires_at: new Date(now + 12 * HOUR_MS),
    device: 'Test',
    address: '127.0.0.1',
  });
  return new Person(app, `session=${token}`);
}
