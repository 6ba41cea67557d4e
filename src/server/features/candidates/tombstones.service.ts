import { createHmac, randomBytes } from 'node:crypto';
import { AppError } from '../../app-error.ts';
import type { Executor } from '../../db/database.ts';
import type { SourceInterview } from '../../ports/interview-source.ts';
import { holdRotation } from '../../secrets/hold-rotation.ts';
import type { Sealer } from '../../secrets/sealer.ts';
import { comparableEmail } from './email.ts';
import {
  changeSealedKey,
  findMarks,
  holdErasures,
  holdImports,
  insertMarks,
  sealedKey,
  storeSealedKey,
} from './tombstones.repo.ts';

/** What is written in the place of an erased interview's title, and why a refresh leaves it out. */
export const ERASED_TITLE = 'Erased interview';
export const ERASED_REASON = "Erased at the candidate's request.";

const CONTEXT = 'erasure key\n';

type Incoming = Pick<SourceInterview, 'id' | 'candidateEmail' | 'createdAt' | 'recordedAt'>;

/** Stands for an interview where its id must not be read any more; the same one each time. */
export type Pseudonym = (interviewId: string) => string;

/**
 * Keeps erased candidates out. Of each erased interview and address a keyed hash stays, so that the next refresh knows them and nobody
 * else can tell whose they are. The key lives in the database, sealed with the encryption key, so that a rotation can seal it anew.
 */
export class Tombstones {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /**
   * Which of these were erased, with what stands for them. Nobody is erased until the transaction ends, so what is let through here is
   * not brought back by it. An address keeps out what was there when it was erased; a later application of the same person is new.
   * @throws AppError when the marks cannot be read: a refresh must not go on then
   */
  async among(tx: Executor, interviews: readonly Incoming[]): Promise<Map<string, string>> {
    await holdErasures(tx);
    const key = await this.#key(tx);
    if (!key) return new Map();
    const marked = interviews.map((interview) => ({
      interview,
      id: markOfId(key, interview.id),
      email: interview.candidateEmail ? markOfEmail(key, interview.candidateEmail) : null,
    }));
    const found = await findMarks(
      tx,
      marked.flatMap(({ id, email }) => (email ? [id, email] : [id])),
    );
    const erased = marked.filter(({ interview, id, email }) => {
      if (found.has(id.toString('hex'))) return true;
      const emailErasedAt = email && found.get(email.toString('hex'));
      return emailErasedAt ? wasThere(interview, emailErasedAt) : false;
    });
    return new Map(erased.map(({ interview, id }) => [interview.id, pseudonymOf(id)]));
  }

  /** Whether this interview was erased. */
  async has(db: Executor, interviewId: string): Promise<boolean> {
    const key = await this.#key(db);
    return key !== null && (await findMarks(db, [markOfId(key, interviewId)])).size > 0;
  }

  /** Begins an erasure: waits for pages of a refresh that are being written, and lets none be written until the transaction ends. */
  async begin(tx: Executor): Promise<void> {
    await holdImports(tx);
  }

  /** After `begin`. @throws AppError when earlier marks cannot be read */
  async put(tx: Executor, { ids, email }: { ids: readonly string[]; email: string }): Promise<Pseudonym> {
    const key = (await this.#key(tx)) ?? (await this.#makeKey(tx));
    await insertMarks(tx, [...ids.map((id) => markOfId(key, id)), markOfEmail(key, email)]);
    return (id) => pseudonymOf(markOfId(key, id));
  }

  /** Seals the key of the marks anew, with the key that seals now. False when it cannot be read. */
  async reseal(tx: Executor): Promise<boolean> {
    const sealed = await sealedKey(tx);
    if (!sealed) return true;
    const opened = this.#sealer.open(sealed, CONTEXT);
    if (opened !== null) await changeSealedKey(tx, this.#sealer.seal(opened, CONTEXT));
    return opened !== null;
  }

  async #key(db: Executor): Promise<Buffer | null> {
    const sealed = await sealedKey(db);
    if (!sealed) return null;
    const opened = this.#sealer.open(sealed, CONTEXT);
    if (opened !== null) return Buffer.from(opened, 'hex');
    throw new AppError(
      'conflict',
      'Which candidates were erased cannot be read with the current ENCRYPTION_KEY. Put the former key back (ENCRYPTION_KEY_PREVIOUS), or erased candidates would come back.',
    );
  }

  async #makeKey(tx: Executor): Promise<Buffer> {
    const key = randomBytes(32);
    await holdRotation(tx);
    await storeSealedKey(tx, this.#sealer.seal(key.toString('hex'), CONTEXT));
    return key;
  }
}

const mark = (key: Buffer, kind: string, text: string) => createHmac('sha256', key).update(`${kind}\n${text}`).digest();
const markOfId = (key: Buffer, id: string) => mark(key, 'interview', id);
const markOfEmail = (key: Buffer, email: string) => mark(key, 'email', comparableEmail(email));
const pseudonymOf = (markOfInterview: Buffer) => `erased-${markOfInterview.toString('hex').slice(0, 12)}`;

function wasThere({ createdAt, recordedAt }: Incoming, erasedAt: Date): boolean {
  const moment = createdAt ?? recordedAt;
  return moment === null || moment <= erasedAt;
}
