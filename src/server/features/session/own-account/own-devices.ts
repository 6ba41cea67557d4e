import type { z } from 'zod';
import type { Device } from '#contracts/session.ts';
import { AppError } from '#server/app-error.ts';
import type { Caller } from '#server/features/session/sessions/caller.ts';
import { deleteSessionOfAccount, listSessionsOfAccount } from '#server/features/session/sessions/session.repo.ts';
import type { SignInDeps } from '#server/features/session/sign-in/sign-in.ts';

/** Users see where their account is signed in, and sign out single devices. */
export class OwnDevices {
  readonly #deps: SignInDeps;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /** The last used one comes first. */
  async list({ signedIn, token }: Caller): Promise<z.input<typeof Device>[]> {
    const { db, hash, clock } = this.#deps;
    const sessions = await listSessionsOfAccount(db, signedIn.accountId, clock());
    return sessions.map((session) => ({
      id: session.id,
      device: session.device,
      address: session.address,
      signedInAt: session.created_at.toISOString(),
      lastUsedAt: session.last_used_at.toISOString(),
      isCurrent: session.hash === hash(token),
    }));
  }

  /** @throws AppError `not_found` when the account has no such session */
  async signOut(id: number, { signedIn }: Caller): Promise<void> {
    const { db, events, onSessionEnded } = this.#deps;
    const { accountId, username } = signedIn;
    const ended = await db.transaction().execute(async (tx) => {
      const session = await deleteSessionOfAccount(tx, accountId, id);
      if (!session) throw new AppError('not_found', 'This session no longer exists. Its device is signed out.');
      const { hash: sessionId, device, address } = session;
      const account = { id: accountId, username };
      await events.record(tx, 'session.ended', { sessionId, account, cause: { kind: 'remote', device, address } });
      return session;
    });
    onSessionEnded(ended.hash);
  }
}
