import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '#server/app-error.ts';
import { lockKeyRotation } from '#server/db/advisory-locks.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { defineJob } from '#server/jobs/job.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import type { Log } from '#server/ports/log.ts';
import type { Mailer } from '#server/ports/mailer.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import type { MailRow } from './mail.repo.ts';
import * as repo from './mail.repo.ts';
import { renderMail } from './mail-text.ts';

/** How long to wait before the next attempt, and when to give up. */
export interface MailRetry {
  /** Doubles with every attempt. */
  firstDelayMs: number;
  maxDelayMs: number;
  /** For mails that the server rejected: it may accept them once its settings are fixed. */
  maxRejectedDelayMs: number;
  giveUpMs: number;
}

export const MAIL_RETRY: MailRetry = {
  firstDelayMs: 30_000,
  maxDelayMs: 15 * 60_000,
  maxRejectedDelayMs: 4 * 3_600_000,
  giveUpMs: 48 * 3_600_000,
};

interface MailDeps {
  db: Database;
  queue: Pick<JobQueue, 'enqueue'>;
  events: Events;
  sealer: Sealer;
  log: Log;
  /** Null when no mail server is configured. */
  mailer: Mailer | null;
  /** The address in MAIL_FROM, with or without a name. */
  from: string | undefined;
  retry: MailRetry;
}

export interface MailInput {
  /** One e-mail address. */
  to: string;
  /** Visible on lock screens, so it never contains a candidate's name. */
  subject: string;
  paragraphs: readonly string[];
  /** A secret link gives access. It is encrypted until the mail is sent. */
  link?: { label: string; url: string; isSecret: boolean } | undefined;
  /** Why the recipient receives the mail, and how to stop it. */
  footer?: string | undefined;
  /** For `withdrawMails`, such as `invitation 5`. */
  reference?: string | undefined;
}

/** For mails with notices, which may name clients of funnels that the account no longer sees. */
export const noticeReference = (accountId: number) => `notices ${accountId}`;

/** Deletes the unsent mails with one of these references. */
export const withdrawMails = (tx: Executor, references: readonly string[]): Promise<void> =>
  repo.deleteMailsOf(tx, references);

/** Redacts the unsent mails whose reference starts with `prefix`. */
export async function redactMails(tx: Executor, prefix: string, redact: (text: string) => string): Promise<void> {
  for (const { id, content } of await repo.lockMailsOf(tx, prefix)) {
    const redacted = { ...content, paragraphs: content.paragraphs.map(redact) };
    await repo.updateMail(tx, id, { content: JSON.stringify(redacted) });
  }
}

/** Sends each mail in its own job, and retries for two days. */
export class Mail {
  readonly #deps: MailDeps;
  readonly job = defineJob({
    name: 'mail.send',
    payload: z.object({ mailId: z.int() }),
    /** For lost processes and database failures, over two days. `#retryLater` covers the rest. */
    retries: 3_000,
    /** A slow server must not delay the mails behind it for long. */
    concurrency: 4,
    run: ({ mailId }, { signal }) => this.#attempt(mailId, signal),
  });

  constructor(deps: MailDeps) {
    this.#deps = deps;
  }

  get isConfigured(): boolean {
    return this.#deps.mailer !== null;
  }

  /**
   * Sends the mail once the caller's transaction commits. Does nothing without a mail server. If
   * the link is secret, `lockKeyRotation` must be the first lock of the transaction.
   */
  async send(tx: Executor, { to, subject, paragraphs, link, footer, reference }: MailInput): Promise<void> {
    const { queue, sealer } = this.#deps;
    if (!this.isConfigured) return;
    const messageId = this.#newMessageId();
    if (link?.isSecret) await lockKeyRotation(tx);
    const { id: mailId } = await repo.insertMail(tx, {
      message_id: messageId,
      content: {
        ...{ to, subject, paragraphs, footer: footer ?? null },
        linkLabel: link?.label ?? null,
        linkUrl: link && !link.isSecret ? link.url : null,
      },
      link_sealed: link?.isSecret ? sealer.seal(link.url, contextOf(messageId)) : null,
      reference: reference ?? null,
    });
    await queue.enqueue(tx, this.job, { mailId });
  }

  /**
   * Sends a mail right away, without retries, to check whether mail works.
   * @throws AppError `not_configured` without a mail server
   * @throws UpstreamError
   */
  async sendTest(to: string, signal: AbortSignal): Promise<void> {
    const { mailer } = this.#deps;
    if (!mailer) throw new AppError('not_configured', "Mail isn't set up. Ask an admin to set SMTP_URL and MAIL_FROM.");
    const paragraphs = ['This is a test. The mail server of the video interviews accepts mails.'];
    const body = renderMail({ paragraphs, link: null, footer: null });
    const messageId = this.#newMessageId();
    await mailer.send({ messageId, to, subject: 'Test of the video interviews', ...body }, signal);
  }

  async #attempt(mailId: number, signal: AbortSignal): Promise<void> {
    const { db, mailer, sealer } = this.#deps;
    const mail = await repo.findMail(db, mailId);
    // Withdrawn.
    if (!mail) return;
    const { message_id: messageId, link_sealed: sealed, content } = mail;
    const url = sealed ? sealer.open(sealed, contextOf(messageId)) : content.linkUrl;
    if (sealed && url === null) return this.#giveUp(mail, "No encryption key decrypts the mail's link.");
    const body = renderMail({ ...content, link: url === null ? null : { label: content.linkLabel ?? '', url } });
    try {
      if (!mailer) throw new UpstreamError('mail', 'unavailable', "Mail isn't set up: SMTP_URL is missing.");
      await mailer.send({ messageId, to: content.to, subject: content.subject, ...body }, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof UpstreamError)) throw error;
      return this.#retryLater(mail, error);
    }
    await repo.deleteMail(db, mailId);
  }

  async #retryLater(mail: MailRow, error: UpstreamError): Promise<void> {
    const { db, queue, log, retry } = this.#deps;
    const { id: mailId, failures } = mail;
    const delayMs = Math.min(
      error.kind === 'rejected' ? retry.maxRejectedDelayMs : retry.maxDelayMs,
      retry.firstDelayMs * 2 ** failures,
    );
    const startAt = new Date(Date.now() + delayMs);
    if (startAt.getTime() > mail.created_at.getTime() + retry.giveUpMs) return this.#giveUp(mail, error.message);
    log.warn({ err: error, mailId, failures: failures + 1, startAt }, 'a mail was not sent; it will be retried');
    await db.transaction().execute(async (tx) => {
      await repo.updateMail(tx, mailId, { failures: failures + 1 });
      await queue.enqueue(tx, this.job, { mailId }, startAt);
    });
  }

  async #giveUp({ id, content: { to, subject }, failures }: MailRow, reason: string): Promise<void> {
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      if (!(await repo.deleteMail(tx, id))) return;
      await events.record(tx, 'mail.failed', { to, subject, reason, attempts: failures + 1 });
    });
  }

  #newMessageId(): string {
    const domain = /@([^\s@>]+)>?$/.exec(this.#deps.from ?? '')?.[1] ?? 'localhost';
    return `<${randomUUID()}@${domain}>`;
  }
}

/** Binds a sealed link to its mail. */
const contextOf = (messageId: string) => `mail link\n${messageId}`;

/** Seals all links with the current key. Links that no key opens are left unchanged. */
export async function resealMails(tx: Executor, sealer: Sealer): Promise<void> {
  for (const { id, message_id, link_sealed } of await repo.lockSealedLinks(tx)) {
    const resealed = link_sealed && sealer.reseal(link_sealed, contextOf(message_id));
    if (resealed) await repo.updateMail(tx, id, { link_sealed: resealed });
  }
}
