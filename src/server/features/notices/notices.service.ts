import { CHOSEN_KINDS, type Notice, type NoticeKind, type NoticeSettings, noticeKindsOf } from '#contracts/notices.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import { type Mail, type MailInput, noticeReference } from '#server/features/mail/mail.service.ts';
import {
  listAdministrators,
  listRecipients,
  type Recipient,
} from '#server/features/session/accounts/accounts.service.ts';
import { currentActor } from '#server/request-context.ts';
import { dailyMail, noticeMail } from './notice-mail.ts';
import type { NoticeAbout, NoticeReader, NoticeRow } from './notices.repo.ts';
import * as repo from './notices.repo.ts';

export type { NoticeAbout } from './notices.repo.ts';

const MAX_LISTED = 100;
const DAY_MS = 24 * 3_600_000;
const RETENTION_MS = 90 * DAY_MS;
/** Daily mails contain the notices from before this hour (UTC). */
const DAILY_MAIL_HOUR = 6;
const NO_ONE: ReadonlySet<number> = new Set();
const DEFAULTS: NoticeSettings = { opened: 'now', verdict: 'now', mention: 'now', expiring: 'now' };

interface NoticesDeps {
  db: Database;
  events: Events;
  mail: Pick<Mail, 'send' | 'isConfigured'>;
  /** The first URL of PUBLIC_URL. Mails contain no link without it. */
  origin: string | null;
}

export interface NewNotice {
  kind: NoticeKind;
  accountIds: readonly number[] | 'administrators';
  /** Accounts that do not see the interview are not notified. */
  interviewId: string | null;
  shareId: number | null;
  /**
   * Accounts that do not see all of these funnels are not notified: they cannot see a link to
   * interviews in them.
   */
  funnelIds?: readonly number[];
  /** The client, the colleague or the webhook's host. Default: the current actor. */
  actor?: string;
}

/** The notices that colleagues received about interviews. */
export const findNoticesAbout = (db: Executor, interviewIds: readonly string[]): Promise<NoticeAbout[]> =>
  repo.listNoticesAbout(db, interviewIds);

/** Notifies accounts on screen and by mail. */
export class Notices {
  readonly #deps: NoticesDeps;

  constructor(deps: NoticesDeps) {
    this.#deps = deps;
  }

  /**
   * For reactions to events. The current actor is not notified. A notice about a link replaces an
   * identical unread one without another mail, so that a client cannot trigger any number of mails.
   */
  async notify(tx: Executor, notice: NewNotice | null): Promise<void> {
    if (notice === null) return;
    const { kind, interviewId, shareId } = notice;
    const accountIds = notice.accountIds === 'administrators' ? await listAdministrators(tx) : notice.accountIds;
    const { events, mail, origin } = this.#deps;
    const current = currentActor();
    const others = accountIds.filter((id) => id !== current.accountId);
    if (others.length === 0) return;
    const settings = await repo.findSettings(tx, others);
    const deliveryOf = (id: number) => (kind === 'webhook' ? 'now' : (settings.get(id) ?? DEFAULTS)[kind]);
    const recipients = (await this.#listViewers(tx, others, notice)).filter(({ id }) => deliveryOf(id) !== 'off');
    const actor = notice.actor ?? current.name;
    const repeated =
      shareId === null ? NO_ONE : await repo.deleteUnread(tx, others, { kind, interviewId, shareId, actor });
    await repo.insertNotices(
      tx,
      recipients.map(({ id, email }) => ({
        ...{ account_id: id, kind, interview_id: interviewId, share_id: shareId, actor },
        is_mail_due: deliveryOf(id) === 'daily' && email !== null && mail.isConfigured,
      })),
    );
    for (const { id, email } of recipients)
      if (email !== null && deliveryOf(id) === 'now' && !repeated.has(id))
        await this.#send(tx, id, noticeMail(email, { kind, actor, interviewId }, origin));
    await events.record(tx, 'notices.changed', { accountIds: recipients.map(({ id }) => id) });
  }

  async list(reader: NoticeReader): Promise<{ notifications: Notice[]; unread: number }> {
    const { db } = this.#deps;
    const [rows, unread] = await Promise.all([repo.listNotices(db, reader, MAX_LISTED), repo.countUnread(db, reader)]);
    return { notifications: rows.map(viewNotice), unread };
  }

  /** Returns the number of notices that are still unread. */
  async markRead(reader: NoticeReader, ids: readonly number[] | undefined): Promise<number> {
    const { db, events } = this.#deps;
    const { accountId } = reader;
    await db.transaction().execute(async (tx) => {
      if (await repo.updateRead(tx, accountId, ids))
        await events.record(tx, 'notices.changed', { accountIds: [accountId] });
    });
    return await repo.countUnread(db, reader);
  }

  async findSettings(accountId: number): Promise<NoticeSettings> {
    return (await repo.findSettings(this.#deps.db, [accountId])).get(accountId) ?? DEFAULTS;
  }

  async saveSettings(accountId: number, settings: NoticeSettings): Promise<void> {
    await this.#deps.db.transaction().execute(async (tx) => {
      await repo.upsertSettings(tx, accountId, settings);
      const notDaily = CHOSEN_KINDS.filter((kind) => settings[kind] !== 'daily');
      await repo.updateMailNotDue(tx, accountId, notDaily);
    });
  }

  /** Mails each account its unread notices from before this morning, in one mail. */
  async sendDaily(now = Date.now()): Promise<void> {
    const { db } = this.#deps;
    const before = lastMorning(now);
    for (const accountId of await repo.listAccountsWithMailDue(db, before))
      await db.transaction().execute((tx) => this.#sendDaily(tx, accountId, before));
  }

  async deleteExpired(): Promise<void> {
    await repo.deleteNoticesBefore(this.#deps.db, new Date(Date.now() - RETENTION_MS));
  }

  /**
   * Lists the enabled accounts with the role for the notice that see the funnels and the interview.
   * Empty if the interview was deleted.
   */
  async #listViewers(
    tx: Executor,
    ids: readonly number[],
    { kind, interviewId, funnelIds = [] }: NewNotice,
  ): Promise<Recipient[]> {
    const recipients = (await listRecipients(tx, ids)).filter(({ role }) => noticeKindsOf(role).includes(kind));
    const funnelId = interviewId === null ? null : await repo.findFunnelId(tx, interviewId);
    if (funnelId === undefined) return [];
    const needed = funnelId === null ? funnelIds : [funnelId, ...funnelIds];
    return recipients.filter(({ funnelIds: visible }) => needed.every((id) => sees(visible, id)));
  }

  async #send(tx: Executor, accountId: number, mail: MailInput): Promise<void> {
    await this.#deps.mail.send(tx, { ...mail, reference: noticeReference(accountId) });
  }

  async #sendDaily(tx: Executor, accountId: number, before: Date): Promise<void> {
    const due = await repo.takeMailDue(tx, accountId, before);
    const [recipient] = await listRecipients(tx, [accountId]);
    if (!recipient?.email) return;
    const { email, role, funnelIds } = recipient;
    const kinds = noticeKindsOf(role);
    const unread = due.filter(
      ({ kind, isRead, funnelIds: needed }) =>
        !isRead && kinds.includes(kind) && needed.every((id) => sees(funnelIds, id)),
    );
    const texts = unread.map(({ kind, actor }) => ({ kind, actor, interviewId: null }));
    if (texts.length > 0) await this.#send(tx, accountId, dailyMail(email, texts, this.#deps.origin));
  }
}

const sees = (funnelIds: Recipient['funnelIds'], funnelId: number) => funnelIds?.includes(funnelId) ?? true;

function lastMorning(now: number): Date {
  const morning = new Date(now);
  morning.setUTCHours(DAILY_MAIL_HOUR, 0, 0, 0);
  return new Date(morning.getTime() > now ? morning.getTime() - DAY_MS : morning.getTime());
}

const viewNotice = ({ id, kind, interview_id, share_id, actor, created_at, read_at }: NoticeRow): Notice => ({
  id,
  kind: kind as NoticeKind,
  interviewId: interview_id,
  shareId: share_id,
  actor,
  createdAt: created_at.toISOString(),
  readAt: read_at?.toISOString() ?? null,
});
