import type { Role } from '#contracts/rules/roles.ts';
import type { Executor } from '#server/db/database.ts';
import type { lockAccounts } from '#server/features/session/accounts/accounts.repo.ts';
import type { SignOn } from '#server/features/session/sessions/session.repo.ts';
import { endSession, startSession } from '#server/features/session/sessions/session-lifecycle.ts';
import type { SessionCookie } from '#server/features/session/sessions/session-token.ts';
import type { SignInDeps, SignInOrigin } from '#server/features/session/sign-in/sign-in.ts';
import { identifyActor } from '#server/request-context.ts';
import type { LinkedAccount } from './identities.repo.ts';
import { applyRole } from './role-claim.ts';

interface Entry {
  account: LinkedAccount;
  accounts: Awaited<ReturnType<typeof lockAccounts>>;
  person: { issuer: string; subject: string };
  signOn: SignOn;
  /** Null: the role stays as it is. */
  role: Role | null;
  origin: SignInOrigin;
}

/** Applies the person's role to the account, and replaces the browser's session with a new one. */
export async function enterAccount(tx: Executor, deps: SignInDeps, entry: Entry): Promise<SessionCookie> {
  const { events, hash, clock } = deps;
  const { account, accounts, person, signOn, role, origin } = entry;
  const { accountId, username } = account;
  const { address, device, oldToken } = origin;
  const now = clock();
  identifyActor({ accountId, username });
  await applyRole(tx, events, { account, role, accounts });
  if (oldToken !== null) await endSession(tx, events, { hash: hash(oldToken), now });
  const cookie = await startSession(tx, deps, { accountId, remembered: false, device, address, now, signOn });
  await events.record(tx, 'single-sign-on.succeeded', { username, address, ...person });
  return cookie;
}
