import { type Insertable, sql, type Updateable } from 'kysely';
import type { Executor } from '#server/db/database.ts';
import type { DB } from '#server/db/tables.ts';

/** A mail's content, except for a secret link. Stored as JSON: add fields, never rename one. */
export interface MailContent {
  to: string;
  subject: string;
  paragraphs: readonly string[];
  linkLabel: string | null;
  /** Null without a link, or if the link is secret. */
  linkUrl: string | null;
  footer: string | null;
}

type NewMail = Omit<Insertable<DB['mail']>, 'content'> & { content: MailContent };
export type MailRow = NonNullable<Awaited<ReturnType<typeof findMail>>>;

export const insertMail = (tx: Executor, { content, ...mail }: NewMail) =>
  tx
    .insertInto('mail')
    .values({ ...mail, content: JSON.stringify(content) })
    .returning('id')
    .executeTakeFirstOrThrow();

export const findMail = (db: Executor, id: number) =>
  db
    .selectFrom('mail')
    .select(['id', 'message_id', 'link_sealed', 'failures', 'created_at'])
    .select(sql<MailContent>`content`.as('content'))
    .where('id', '=', id)
    .executeTakeFirst();

export async function updateMail(tx: Executor, id: number, columns: Updateable<DB['mail']>): Promise<void> {
  await tx.updateTable('mail').set(columns).where('id', '=', id).execute();
}

/** Returns false if the mail was withdrawn. */
export async function deleteMail(tx: Executor, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('mail').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteMailsOf(tx: Executor, references: readonly string[]): Promise<void> {
  await tx.deleteFrom('mail').where('reference', '=', sql<string>`ANY(${references}::text[])`).execute();
}

/** Lists the mails whose reference starts with `prefix`. */
export const lockMailsOf = (tx: Executor, prefix: string) =>
  tx
    .selectFrom('mail')
    .select('id')
    .select(sql<MailContent>`content`.as('content'))
    .where(sql<boolean>`starts_with(reference, ${prefix})`)
    .orderBy('id')
    .forUpdate()
    .execute();

export const lockSealedLinks = (tx: Executor) =>
  tx
    .selectFrom('mail')
    .select(['id', 'message_id', 'link_sealed'])
    .where('link_sealed', 'is not', null)
    .orderBy('id')
    .forUpdate()
    .execute();
