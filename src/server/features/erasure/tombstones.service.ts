import { randomBytes } from 'node:crypto';
import { AppError } from '#server/app-error.ts';
import { blockErasures, lockKeyRotation } from '#server/db/advisory-locks.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { SourceInterview } from '#server/ports/interview-source.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import { ErasureKey } from './erasure-key.ts';
import type { Erasures } from './erasure-list.service.ts';
import { vacuumPersonalTables } from './table-maintenance.repo.ts';
import * as repo from './tombstones.repo.ts';

/** Replaces the title of an erased interview. */
export const ERASED_TITLE = 'Erased interview';
/** The reason for skipping it in a refresh. */
export const ERASED_REASON = "Erased at the candidate's request.";

const CONTEXT = 'erasure key\n';

type IncomingInterview = Pick<SourceInterview, 'id' | 'candidateEmail' | 'createdAt' | 'recordedAt'>;

/** Replaces the id of an erased interview; always the same one for an id. */
export type Pseudonym = (interviewId: string) => string;

/**
 * Keeps erased candidates from coming back. A keyed hash of each erased interview and email is
 * stored: it is enough to recognize them in the next refresh, and does not reveal who they were.
 * The key is in the database, sealed with the encryption key, so that a rotation can reseal it.
 */
export class Tombstones {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /**
   * Returns the erased interviews, each with its pseudonym, and blocks erasures until the
   * transaction ends. An erased email excludes only interviews that existed at the time of the
   * erasure: a later application of the same person is new.
   * @throws AppError conflict when the marks cannot be read; the refresh must stop then
   */
  async findErased(tx: Executor, interviews: readonly IncomingInterview[]): Promise<Map<string, string>> {
    await blockErasures(tx);
    const key = await this.findKey(tx);
    if (!key) return new Map();
    const marked = interviews.map((interview) => ({
      interview,
      id: key.markOfId(interview.id),
      email: interview.candidateEmail ? key.markOfEmail(interview.candidateEmail) : null,
    }));
    const stored = await repo.listMarks(
      tx,
      marked.flatMap(({ id, email }) => (email ? [id, email] : [id])),
    );
    const erased = marked.filter(({ interview, id, email }) => {
      if (stored.has(id.toString('hex'))) return true;
      const emailErasedAt = email && stored.get(email.toString('hex'));
      return emailErasedAt ? existedAt(interview, emailErasedAt) : false;
    });
    return new Map(erased.map(({ interview }) => [interview.id, key.pseudonymOf(interview.id)]));
  }

  /** True when every email and interview of an erasure has its mark. */
  async hasErased(
    db: Executor,
    { emails, interviewIds }: { emails: readonly string[]; interviewIds: readonly string[] },
  ): Promise<boolean> {
    const key = await this.findKey(db);
    if (!key) return false;
    const marks = [...emails.map((email) => key.markOfEmail(email)), ...interviewIds.map((id) => key.markOfId(id))];
    return (await repo.listMarks(db, marks)).size === new Set(marks.map((mark) => mark.toString('hex'))).size;
  }

  /** Call it after `lockErasure`. @throws AppError conflict when earlier marks cannot be read */
  async markErased(
    tx: Executor,
    { ids, emails }: { ids: readonly string[]; emails: readonly string[] },
  ): Promise<Pseudonym> {
    const key = await this.findOrCreateKey(tx);
    await repo.insertMarks(tx, [
      ...ids.map((id) => key.markOfId(id)),
      ...emails.map((email) => key.markOfEmail(email)),
    ]);
    return (id) => key.pseudonymOf(id);
  }

  /**
   * Adds erasures that this database may lack, and returns whether it lacked any. Call it after
   * `lockErasure`.
   * @throws AppError conflict for erasures of another installation
   */
  async addErasures(tx: Executor, { key, marks }: Erasures): Promise<boolean> {
    const bytes = Buffer.from(key, 'hex');
    const known = await this.findKey(tx);
    if (known && !known.bytes.equals(bytes))
      throw new AppError(
        'conflict',
        'The list of erasures in DATA_DIR belongs to another installation. Move it to another folder.',
      );
    if (!known) await this.#insertKey(tx, bytes);
    return (await repo.insertEarlierMarks(tx, marks)) > 0;
  }

  /** Call it after the commit of an erasure. */
  async removeTraces(db: Database): Promise<void> {
    await vacuumPersonalTables(db);
  }

  /** All erasures; null before the first one. */
  async listErasures(db: Executor): Promise<Erasures | null> {
    const key = await this.findKey(db);
    if (!key) return null;
    const marks = [...(await repo.listMarks(db))].map(([mark, erasedAt]) => [mark, erasedAt.toISOString()]);
    return { key: key.bytes.toString('hex'), marks: Object.fromEntries(marks) };
  }

  /** Seals the key of the marks with the current encryption key. False when it cannot be read. */
  async reseal(tx: Executor): Promise<boolean> {
    const sealed = await repo.findSealedKey(tx);
    if (!sealed) return true;
    const resealed = this.#sealer.reseal(sealed, CONTEXT);
    if (resealed) await repo.updateSealedKey(tx, resealed);
    return resealed !== null;
  }

  /** Null before the first erasure. @throws AppError conflict when the key cannot be read */
  async findKey(db: Executor): Promise<ErasureKey | null> {
    const sealed = await repo.findSealedKey(db);
    if (!sealed) return null;
    const opened = this.#sealer.open(sealed, CONTEXT);
    if (opened !== null) return new ErasureKey(Buffer.from(opened, 'hex'));
    throw new AppError(
      'conflict',
      'The list of erased candidates cannot be read with the current ENCRYPTION_KEY. Set ENCRYPTION_KEY_PREVIOUS to the former key, or erased candidates would come back.',
    );
  }

  /** Call it after `lockErasure`. @throws AppError conflict when the key cannot be read */
  async findOrCreateKey(tx: Executor): Promise<ErasureKey> {
    const found = await this.findKey(tx);
    if (found) return found;
    const key = randomBytes(32);
    await this.#insertKey(tx, key);
    return new ErasureKey(key);
  }

  async #insertKey(tx: Executor, key: Buffer): Promise<void> {
    await lockKeyRotation(tx);
    await repo.insertSealedKey(tx, this.#sealer.seal(key.toString('hex'), CONTEXT));
  }
}

function existedAt({ createdAt, recordedAt }: IncomingInterview, erasedAt: Date): boolean {
  const moment = createdAt ?? recordedAt;
  return moment === null || moment <= erasedAt;
}
