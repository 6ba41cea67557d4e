import { createHmac, randomBytes } from 'node:crypto';
import { AppError } from '#server/app-error.ts';
import { lockKeyRotation } from '#server/db/advisory-locks.ts';
import type { Executor } from '#server/db/database.ts';
import type { SourceInterview } from '#server/ports/interview-source.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import {
  findSealedKey,
  insertMarks,
  insertSealedKey,
  listMarks,
  lockErasure,
  lockErasureShared,
  updateSealedKey,
} from './tombstones.repo.ts';

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
   * Returns the erased ones of these interviews with their pseudonyms, and blocks erasures until
   * the transaction ends. An erased email excludes only interviews that existed at the time of the
   * erasure: a later application of the same person is new.
   * @throws AppError conflict when the marks cannot be read; the refresh must stop then
   */
  async findErased(tx: Executor, interviews: readonly IncomingInterview[]): Promise<Map<string, string>> {
    await lockErasureShared(tx);
    const key = await this.#findKey(tx);
    if (!key) return new Map();
    const marked = interviews.map((interview) => ({
      interview,
      id: markOfId(key, interview.id),
      email: interview.candidateEmail ? markOfEmail(key, interview.candidateEmail) : null,
    }));
    const stored = await listMarks(
      tx,
      marked.flatMap(({ id, email }) => (email ? [id, email] : [id])),
    );
    const erased = marked.filter(({ interview, id, email }) => {
      if (stored.has(id.toString('hex'))) return true;
      const emailErasedAt = email && stored.get(email.toString('hex'));
      return emailErasedAt ? existedAt(interview, emailErasedAt) : false;
    });
    return new Map(erased.map(({ interview, id }) => [interview.id, pseudonymOf(id)]));
  }

  async isErased(db: Executor, interviewId: string): Promise<boolean> {
    const key = await this.#findKey(db);
    return key !== null && (await listMarks(db, [markOfId(key, interviewId)])).size > 0;
  }

  /**
   * Blocks pages of refreshes until the transaction ends. Call it before the first read of an
   * erasure.
   */
  async lockErasure(tx: Executor): Promise<void> {
    await lockErasure(tx);
  }

  /** Call it after `lockErasure`. @throws AppError conflict when earlier marks cannot be read */
  async markErased(tx: Executor, { ids, email }: { ids: readonly string[]; email: string }): Promise<Pseudonym> {
    const key = (await this.#findKey(tx)) ?? (await this.#createKey(tx));
    await insertMarks(tx, [...ids.map((id) => markOfId(key, id)), markOfEmail(key, email)]);
    return (id) => pseudonymOf(markOfId(key, id));
  }

  /** Seals the key of the marks with the current encryption key. False when it cannot be read. */
  async reseal(tx: Executor): Promise<boolean> {
    const sealed = await findSealedKey(tx);
    if (!sealed) return true;
    const opened = this.#sealer.open(sealed, CONTEXT);
    if (opened !== null) await updateSealedKey(tx, this.#sealer.seal(opened, CONTEXT));
    return opened !== null;
  }

  async #findKey(db: Executor): Promise<Buffer | null> {
    const sealed = await findSealedKey(db);
    if (!sealed) return null;
    const opened = this.#sealer.open(sealed, CONTEXT);
    if (opened !== null) return Buffer.from(opened, 'hex');
    throw new AppError(
      'conflict',
      'The list of erased candidates cannot be read with the current ENCRYPTION_KEY. Set ENCRYPTION_KEY_PREVIOUS to the former key, or erased candidates would come back.',
    );
  }

  async #createKey(tx: Executor): Promise<Buffer> {
    const key = randomBytes(32);
    await lockKeyRotation(tx);
    await insertSealedKey(tx, this.#sealer.seal(key.toString('hex'), CONTEXT));
    return key;
  }
}

/** Emails are compared without surrounding spaces and without case. */
export const comparableEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();

const mark = (key: Buffer, kind: string, text: string) => createHmac('sha256', key).update(`${kind}\n${text}`).digest();
const markOfId = (key: Buffer, id: string) => mark(key, 'interview', id);
const markOfEmail = (key: Buffer, email: string) => mark(key, 'email', comparableEmail(email));
const pseudonymOf = (markOfInterview: Buffer) => `erased-${markOfInterview.toString('hex').slice(0, 12)}`;

function existedAt({ createdAt, recordedAt }: IncomingInterview, erasedAt: Date): boolean {
  const moment = createdAt ?? recordedAt;
  return moment === null || moment <= erasedAt;
}
