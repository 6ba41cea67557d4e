import type { HandlerInput } from '#contracts/endpoint.ts';
import type { EventData } from '#contracts/events.ts';
import { SHARE_LIMITS } from '#contracts/rules/limits.ts';
import type { createShares, listShares, Recipient, Share, ShareState, updateShare } from '#contracts/shares.ts';
import { AppError } from '#server/app-error.ts';
import { lockKeyRotation } from '#server/db/advisory-locks.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { interviewNotFound } from '#server/features/interviews/interviews.service.ts';
import { type Mail, withdrawMails } from '#server/features/mail/mail.service.ts';
import { hashPasscode } from '#server/features/session/passcodes.service.ts';
import { currentActor, visibleFunnels } from '#server/request-context.ts';
import type { CachedLinks } from './cached-links.ts';
import { listFunnelsOf } from './guests.repo.ts';
import { linkMail, shareReference } from './link-mail.ts';
import { deleteOldShares, markExpiring } from './personal-data.repo.ts';
import { redactionOf } from './redact-names.ts';
import { hashOfToken, newShareToken } from './share-tokens.ts';
import type { ShareChanges, SharedInterview, ShareRow } from './shares.repo.ts';
import * as repo from './shares.repo.ts';
import { viewShare } from './shares.view.ts';

type NewSharesInput = HandlerInput<typeof createShares>['body'];
type ShareUpdate = HandlerInput<typeof updateShare>['body'];

interface SharesDeps {
  db: Database;
  events: Events;
  mail: Pick<Mail, 'isConfigured' | 'send'>;
  links: Pick<CachedLinks, 'clear'>;
  /** How long links are kept after their expiry. */
  retentionDays: number;
}

/** Returns the URL of a token's link. */
type LinkTo = (token: string) => string;

/** A link with the only copy of its token. */
export interface CreatedShare {
  id: number;
  recipient: Recipient;
  token: string;
}

interface SentShares {
  input: NewSharesInput;
  /** In the order in which recipients see them. */
  interviews: readonly SharedInterview[];
  expiresAt: Date;
  created: readonly CreatedShare[];
}

/** Why a new link would not work either. */
const NOT_WORKING: Partial<Record<ShareState, string>> = {
  revoked: 'This link is revoked. Restore it before you create a new one.',
  expired: 'This link has expired. Extend it before you create a new one.',
  closed: 'This link is closed. Reopen it before you create a new one.',
};
const DAY_MS = 24 * 60 * 60_000;

/** Management of links for people who have no account. */
export class Shares {
  readonly #deps: SharesDeps;

  constructor(deps: SharesDeps) {
    this.#deps = deps;
  }

  /**
   * @throws AppError not_found for an interview that is hidden from the caller; not_configured if
   * the links should be mailed and mail is not set up
   */
  async create(input: NewSharesInput, linkTo: LinkTo): Promise<CreatedShare[]> {
    const expiresAt = this.#checkExpiry(input.expiresAt);
    if (input.send) this.#checkMail(input);
    const passcode = input.passcode ? await hashPasscode(input.passcode) : null;
    const { db, events } = this.#deps;
    return await db.transaction().execute(async (tx) => {
      if (input.send) await lockKeyRotation(tx);
      const interviews = await this.#lockInterviews(tx, input.interviewIds);
      const client_name = interviews[0]?.clientName ?? null;
      const batch = await repo.insertBatch(tx, { ...columnsOf(input), client_name, passcode_hash: passcode });
      const created: CreatedShare[] = [];
      for (const { name, email } of input.recipients)
        created.push(await createShare(tx, batch, { recipient: { name, email: email || null }, expiresAt }));
      await repo.insertItems(
        tx,
        created.map(({ id }) => id),
        input.interviewIds,
      );
      await events.record(tx, 'share.created', {
        shareTitle: input.title,
        recipients: created.map(({ id, recipient }) => ({ shareId: id, ...recipient })),
        interviews: interviews.map(({ id, title }) => ({ interviewId: id, title })),
        funnelIds: [...new Set(interviews.map(({ funnelId }) => funnelId))],
      });
      if (input.send) await this.#sendLinks(tx, { input, interviews, expiresAt, created }, linkTo);
      return created;
    });
  }

  async list({ interviewId, state }: HandlerInput<typeof listShares>['query']): Promise<Share[]> {
    return (await repo.listShares(this.#deps.db, reader(), { interviewId, state })).map(viewShare);
  }

  /** @throws AppError not_found; invalid_input for an earlier expiry */
  async update(id: number, changes: ShareUpdate): Promise<Share> {
    const { db, events, links } = this.#deps;
    const expiresAt = changes.expiresAt === undefined ? undefined : this.#checkExpiry(changes.expiresAt);
    const updated = await db.transaction().execute(async (tx) => {
      const row = await this.#lock(tx, id);
      const now = new Date();
      const columns: ShareChanges = {
        ...(expiresAt && { expires_at: checkExtension(row, expiresAt), expiry_noted_at: null }),
        ...(changes.revoked !== undefined && { revoked_at: changes.revoked ? (row.revokedAt ?? now) : null }),
        ...(changes.closed === true && { closed_at: row.closedAt ?? now }),
        ...(changes.closed === false && { closed_at: null, passcode_tries: 0 }),
      };
      if (Object.keys(columns).length > 0) await repo.updateShare(tx, id, columns);
      if (changes.revoked) await withdrawMails(tx, [shareReference(id)]);
      const changed = await this.#find(tx, id);
      for (const change of changesBetween(row, changed))
        await events.record(tx, 'share.changed', { ...subjectOf(changed), change });
      return viewShare(changed);
    });
    links.clear();
    return updated;
  }

  /**
   * Replaces the link of the recipient.
   * @throws AppError not_found; conflict for a link that does not work
   */
  async renewLink(id: number): Promise<string> {
    const { db, events, links } = this.#deps;
    const token = newShareToken();
    await db.transaction().execute(async (tx) => {
      const row = await this.#lock(tx, id);
      const problem = NOT_WORKING[row.state];
      if (problem) throw new AppError('conflict', problem);
      await repo.updateShare(tx, id, { token_hash: hashOfToken(token), passcode_tries: 0 });
      await withdrawMails(tx, [shareReference(id)]);
      await events.record(tx, 'share.changed', { ...subjectOf(row), change: 'renewed' });
    });
    links.clear();
    return token;
  }

  /** Logs links that expire within two days and were never opened, once each. */
  async noteExpiring(): Promise<void> {
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      for (const { id, title, expiresAt, ...share } of await markExpiring(tx)) {
        const funnelIds = await listFunnelsOf(tx, id);
        const subject = { shareId: id, shareTitle: title, ...share, funnelIds };
        await events.record(tx, 'share.expiring', { ...subject, expiresAt: expiresAt.toISOString() });
      }
    });
  }

  /** Deletes links as long after their expiry as log entries are kept. */
  deleteExpired(): Promise<void> {
    return deleteOldShares(this.#deps.db, this.#deps.retentionDays);
  }

  #checkMail({ recipients }: NewSharesInput): void {
    if (!this.#deps.mail.isConfigured)
      throw new AppError('not_configured', "Mail isn't set up. Copy the links instead.");
    if (recipients.every(({ email }) => email)) return;
    const message = 'recipients must have an email address, because the links are sent';
    throw new AppError('invalid_input', message, { field: 'recipients' });
  }

  async #sendLinks(tx: Executor, { input, interviews, expiresAt, created }: SentShares, linkTo: LinkTo) {
    const hide = interviews.map(({ name, email }, at) => redactionOf(input.shows.name, { n: at + 1, name, email }));
    const message = input.message && hide.reduce((text, redaction) => redaction.text(text), input.message);
    const sender = currentActor().name ?? '';
    for (const { id, recipient, token } of created) {
      const link = { shareId: id, recipient: recipient.name, email: recipient.email ?? '', sender, expiresAt };
      const mail = linkMail({ ...link, message: message || null, hasPasscode: Boolean(input.passcode) }, linkTo(token));
      await this.#deps.mail.send(tx, mail);
    }
  }

  #checkExpiry(text: string): Date {
    const expiresAt = new Date(text);
    const days = (expiresAt.getTime() - Date.now()) / DAY_MS;
    if (days > 0 && days <= SHARE_LIMITS.days) return expiresAt;
    const message = `expiresAt must be in the future, at most ${SHARE_LIMITS.days} days from now`;
    throw new AppError('invalid_input', message, { field: 'expiresAt' });
  }

  /** In the order of `ids`. */
  async #lockInterviews(tx: Executor, ids: readonly string[]) {
    const found = new Map((await repo.lockSharedInterviews(tx, ids, visibleFunnels())).map((one) => [one.id, one]));
    return ids.map((id) => {
      const interview = found.get(id);
      if (!interview) throw interviewNotFound();
      return interview;
    });
  }

  async #find(tx: Executor, id: number): Promise<ShareRow> {
    const [row] = await repo.listShares(tx, reader(), { id });
    if (!row) throw new AppError('not_found', 'This link no longer exists.');
    return row;
  }

  async #lock(tx: Executor, id: number): Promise<ShareRow> {
    await repo.lockShare(tx, id);
    return this.#find(tx, id);
  }
}

/** Without the client and the passcode. */
function columnsOf({ title, message, shows, mayComment, mayDecide }: NewSharesInput) {
  const { accountId, name } = currentActor();
  return {
    title,
    message: message || null,
    name_shown: shows.name,
    shows_contact: shows.contact,
    shows_transcript: shows.transcript,
    shows_summary: shows.summary,
    shows_questions: shows.questions,
    may_comment: mayComment,
    may_decide: mayDecide,
    created_by: accountId,
    created_by_name: name ?? '',
  };
}

async function createShare(
  tx: Executor,
  batch: { id: number },
  { recipient, expiresAt }: { recipient: Recipient; expiresAt: Date },
): Promise<CreatedShare> {
  const token = newShareToken();
  const { id } = await repo.insertShare(tx, {
    batch_id: batch.id,
    recipient_name: recipient.name,
    recipient_email: recipient.email,
    token_hash: hashOfToken(token),
    expires_at: expiresAt,
  });
  return { id, recipient, token };
}

function checkExtension(before: ShareRow, expiresAt: Date): Date {
  if (expiresAt >= before.expiresAt) return expiresAt;
  const message = 'A link can only be extended. Revoke it to end it earlier.';
  throw new AppError('invalid_input', message, { field: 'expiresAt' });
}

const reader = () => ({ accountId: currentActor().accountId, funnelIds: visibleFunnels() });

const subjectOf = (row: ShareRow) => ({
  shareId: row.id,
  shareTitle: row.title,
  recipient: row.recipientName,
  senderId: row.createdBy,
  funnelIds: row.funnelIds,
  expiresAt: row.expiresAt.toISOString(),
});

function changesBetween(before: ShareRow, after: ShareRow): EventData<'share.changed'>['change'][] {
  const changes: EventData<'share.changed'>['change'][] = [];
  if (before.expiresAt.getTime() !== after.expiresAt.getTime()) changes.push('extended');
  if ((before.revokedAt === null) !== (after.revokedAt === null))
    changes.push(after.revokedAt ? 'revoked' : 'restored');
  if ((before.closedAt === null) !== (after.closedAt === null)) changes.push(after.closedAt ? 'closed' : 'reopened');
  return changes;
}
