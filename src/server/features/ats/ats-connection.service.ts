import { createHash } from 'node:crypto';
import { lockKeyRotation } from '#server/db/advisory-locks.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { AtsConnection, AtsConnectionStore } from '#server/ports/ats-connection.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import type { AtsName, StoredConnection } from './ats-connection.repo.ts';
import * as repo from './ats-connection.repo.ts';

export interface StoredAtsConnectionDeps {
  db: Database;
  sealer: Sealer;
  events: Events;
  ats: AtsName;
  /** The display name. */
  name: string;
  /** The account that notes are written as. */
  account: string;
  /** The credentials in the environment. A change invalidates the stored state. */
  credentials: readonly string[];
  /** The state while nothing is stored. */
  initialState: AtsConnection['state'];
}

const contextOf = (ats: string) => `ats sign-in ${ats}`;

/** Stores the connection in the database. */
export class StoredAtsConnection implements AtsConnectionStore {
  readonly #deps: StoredAtsConnectionDeps;
  readonly #credentialsHash: Buffer;

  constructor(deps: StoredAtsConnectionDeps) {
    this.#deps = deps;
    this.#credentialsHash = createHash('sha256').update(JSON.stringify(deps.credentials)).digest();
  }

  async read(): Promise<AtsConnection> {
    return this.#open(await repo.findConnection(this.#deps.db, this.#deps.ats));
  }

  async change(change: (current: AtsConnection) => Promise<AtsConnection | null>): Promise<AtsConnection> {
    const { db, ats, sealer, events, name, account } = this.#deps;
    return await db.transaction().execute(async (tx) => {
      await lockKeyRotation(tx);
      const current = this.#open(await repo.lockConnection(tx, ats));
      const next = await change(current);
      if (!next || next.state === 'not_configured') return current;
      const { state, signIn } = next;
      const signInSealed = signIn === null ? null : sealer.seal(signIn, contextOf(ats));
      await repo.replaceConnection(tx, ats, { credentialsHash: this.#credentialsHash, state, signInSealed });
      if (state !== current.state)
        await events.record(tx, state === 'connected' ? 'ats.connected' : 'ats.disconnected', { name, account });
      return next;
    });
  }

  reserveCall(intervalMs: number): Promise<number> {
    return repo.reserveCall(this.#deps.db, this.#deps.ats, intervalMs);
  }

  #open(stored: StoredConnection | undefined): AtsConnection {
    const { sealer, ats, initialState } = this.#deps;
    if (!stored?.credentialsHash.equals(this.#credentialsHash)) return { state: initialState, signIn: null };
    const { state, signInSealed } = stored;
    return { state, signIn: signInSealed && sealer.open(signInSealed, contextOf(ats)) };
  }
}

/** For key rotation. A sign-in that no key decrypts is left unchanged. */
export async function resealSignIns(tx: Executor, sealer: Sealer): Promise<void> {
  for (const { ats, sign_in_sealed: sealed } of await repo.lockSealedSignIns(tx)) {
    const resealed = sealed && sealer.reseal(sealed, contextOf(ats));
    if (resealed) await repo.updateSealedSignIn(tx, ats, resealed);
  }
}
