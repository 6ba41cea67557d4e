import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { inviteAccount } from '#contracts/accounts.ts';
import { createApiToken } from '#contracts/api-tokens.ts';
import type { Role } from '#contracts/rules/roles.ts';
import { createSavedView } from '#contracts/saved-views.ts';
import { getUser, listDevices } from '#contracts/session.ts';
import type { Person } from './call.ts';
import { insertInterviews } from './insert-interviews.ts';
import { signedInAs } from './people.ts';
import type { TestApp } from './start-app.ts';

/** The ids of a funnel and its data, as used in paths of the API. */
export interface FunnelIds {
  /** The beginning of every text and name of the funnel. */
  name: 'own' | 'hidden' | 'unknown';
  funnelId: number;
  interviewId: string;
  uploadId: string;
  bulkRunId: number;
  logEntryId: number;
  shareId: number;
  /** The token of the link with the interview. */
  shareToken: string;
  commentId: string;
}

/** A caller, with one of everything that a request can name. */
export interface AccessWorld {
  caller: Person;
  viewId: number;
  deviceId: number;
  apiTokenId: number;
  /** The id of an outgoing webhook and of its only delivery. */
  webhookId: number;
  /** Another account, which is invited. */
  colleagueId: number;
  invitationToken: string;
  own: FunnelIds;
  hidden: FunnelIds;
  unknown: FunnelIds;
}

export interface WorldOptions {
  role: Role;
  /** True: the caller sees the hidden funnel too. */
  allFunnels: boolean;
  /** False: the hidden funnel does not exist. */
  hasHidden?: boolean;
  /** The funnel that is active and that the last refresh is of. */
  active: 'own' | 'hidden';
  refresh: 'running' | 'failed' | null;
  source: 'rest' | 'upload';
  uploads: 'receiving' | 'duplicate';
}

/** A product, its first account, and the URL of an image. */
export interface AccessStage {
  product: TestApp;
  admin: Person;
  imageUrl: string;
}

const FUNNEL_IDS = { own: 1_001, hidden: 2_002, unknown: 3_003 };
const WEBHOOK_ID = 4_004;
const API_KEY = 'key of a funnel';
const CALLER = 'caller';
const COLLEAGUE = 'colleague';

const idsOf = (name: FunnelIds['name']): FunnelIds => ({
  ...{ name, funnelId: FUNNEL_IDS[name], interviewId: `${name}-interview`, uploadId: `${name}-upload` },
  ...{ bulkRunId: FUNNEL_IDS[name], shareId: FUNNEL_IDS[name], shareToken: `token of ${name}` },
  logEntryId: FUNNEL_IDS[name] * 1_000,
  commentId: `00000000-0000-4000-8000-00000000${FUNNEL_IDS[name]}`,
});

/** Replaces everything but the first account. Equal options result in equal ids and texts. */
export async function openAccessWorld(stage: AccessStage, options: WorldOptions): Promise<AccessWorld> {
  const { product, admin } = stage;
  const { role, allFunnels, hasHidden = true } = options;
  await deleteEverything(product);
  const [own, hidden] = [idsOf('own'), idsOf('hidden')];
  const funnels = hasHidden ? [own, hidden] : [own];
  for (const funnel of funnels) await insertFunnel(product, admin, { ...funnel, ...options });
  const caller = await signedInAs(product, {
    username: CALLER,
    role,
    ...(!allFunnels && { funnelIds: [own.funnelId] }),
  });
  const { id: accountId } = await caller.call(getUser, {});
  for (const funnel of funnels) {
    const isOwnRun = funnel === own || allFunnels;
    await insertContents(stage, { ...funnel, ...options }, { accountId, runBy: isOwnRun ? accountId : accountId + 1 });
  }
  await insertRefresh(product, options);
  const body = { username: COLLEAGUE, role: 'reviewer' as const, allFunnels: true, funnelIds: [] };
  const { account, invitation } = await admin.call(inviteAccount, { body });
  await insertWebhook(product);
  const [device] = await caller.call(listDevices, {});
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const token = await caller.call(createApiToken, { body: { name: 'Program', scopes: ['read'], expiresAt } });
  const view = await caller.call(createSavedView, { body: { name: 'Mine', query: '' } });
  // Entries about the calls above have different ids each time.
  await product.db.deleteFrom('log_entry').where('actor_kind', 'is not', null).execute();
  return {
    ...{
      caller,
      own,
      hidden,
      unknown: idsOf('unknown'),
      viewId: view.id,
      deviceId: device?.id ?? 0,
      apiTokenId: token.id,
      webhookId: WEBHOOK_ID,
    },
    ...{ colleagueId: account.id, invitationToken: invitation.link.split('/').at(-1) ?? '' },
  };
}

async function deleteEverything({ db, dataDir }: TestApp): Promise<void> {
  for (const table of [
    'outgoing_webhook',
    'log_entry',
    'share_batch',
    'bulk_run',
    'sync_run',
    'upload',
    'interview',
    'funnel',
  ] as const)
    await db.deleteFrom(table).execute();
  await rm(join(dataDir, 'files', 'partial'), { recursive: true, force: true });
  await db.deleteFrom('sign_in_failure').execute();
  await sql`DELETE FROM account WHERE id > (SELECT min(id) FROM account)`.execute(db);
}

const insertWebhook = ({ db }: TestApp) =>
  sql`
    WITH webhook AS (
      INSERT INTO outgoing_webhook (id, url_sealed, host, events, format, includes_personal_data, secret_sealed)
      OVERRIDING SYSTEM VALUE VALUES (${WEBHOOK_ID}, '', 'example.com', '{interview.added}', 'json', false, '')
      RETURNING id
    )
    INSERT INTO webhook_delivery (id, webhook_id, event_id, type, actor, data)
    OVERRIDING SYSTEM VALUE SELECT id, id, gen_random_uuid(), 'interview.added', '{"kind": "system", "id": null, "name": null}', '{}' FROM webhook
  `.execute(db);

async function insertFunnel({ db, build }: TestApp, admin: Person, funnel: FunnelIds & WorldOptions): Promise<void> {
  const { name, funnelId, source, active } = funnel;
  await sql`SELECT setval(pg_get_serial_sequence('funnel', 'id'), ${funnelId}::int, false)`.execute(db);
  await build.funnel(admin, { name: `${name} funnel`, funnelId: name, source, apiKey: API_KEY, clientName: 'Mercy' });
  await db
    .updateTable('funnel')
    .set({ is_active: name === active })
    .where('id', '=', funnelId)
    .execute();
  await db.insertInto('automation').values({ funnel_id: funnelId }).execute();
}

async function insertContents(
  { product, imageUrl }: AccessStage,
  contents: FunnelIds & WorldOptions,
  { accountId, runBy }: { accountId: number; runBy: number },
): Promise<void> {
  const { name, funnelId, interviewId, uploadId, bulkRunId, logEntryId, commentId, uploads } = contents;
  const { db } = product;
  await insertInterview(product, contents, imageUrl);
  const comment = { id: commentId, author: CALLER, body: `${name} comment`, at_seconds: 1 };
  const written = { ...comment, interview_id: interviewId, account_id: accountId };
  await db.insertInto('comment').values(written).execute();
  await db
    .insertInto('upload')
    .values({
      ...{ id: uploadId, account_id: accountId, funnel_id: funnelId, file_name: `${name}.mp4`, size_bytes: 1_000 },
      ...{ modified_at: new Date(), candidate_name: `${name} candidate`, state: uploads },
    })
    .execute();
  await sql`SELECT setval(pg_get_serial_sequence('notice', 'id'), ${funnelId}::int, false)`.execute(db);
  const notice = {
    account_id: accountId,
    kind: 'mention',
    interview_id: interviewId,
    actor: 'ben',
    is_mail_due: false,
  };
  await db
    .insertInto('notice')
    .values({ ...notice, created_at: '2026-11-25T00:00:00Z' })
    .execute();
  await sql`SELECT setval(pg_get_serial_sequence('bulk_run', 'id'), ${bulkRunId}::int, false)`.execute(db);
  const startedBy = { kind: 'account', accountId: runBy, name: CALLER, address: null, requestId: null };
  const run = { action: 'archive', total: 1, started_by: JSON.stringify(startedBy) };
  const { id } = await db.insertInto('bulk_run').values(run).returning('id').executeTakeFirstOrThrow();
  const item = { run_id: id, interview_id: interviewId, position: 1, outcome: 'done' };
  await db.insertInto('bulk_item').values(item).execute();
  await sql`
    INSERT INTO log_entry (id, type, action, status, summary, funnel_id) OVERRIDING SYSTEM VALUE
    VALUES (${logEntryId}, 'system', 'archive-interview', 'success', ${`${name} entry`}, ${funnelId})
  `.execute(db);
  await insertShare(product, contents);
}

async function insertInterview(product: TestApp, { name, funnelId, interviewId }: FunnelIds, imageUrl: string) {
  const { db } = product;
  const facts = { title: `${name} title`, transcriptionStatus: 'completed', summaryStatus: 'failed' } as const;
  await insertInterviews(db, [
    { id: interviewId, funnelId, ...facts, transcript: `${name} words`, destinationId: `BUB-${name}-1` },
  ]);
  const files = { video_file: `${name}.mp4`, thumbnail_file: `${name}.jpg` };
  await db
    .updateTable('interview')
    .set({ ...files, thumbnail_url: imageUrl, duration_seconds: 60 })
    .where('id', '=', interviewId)
    .execute();
  const segments = [{ startSeconds: 0, endSeconds: 2, text: `${name} words` }];
  await db
    .updateTable('interview_text')
    .set({ segments: JSON.stringify(segments) })
    .where('interview_id', '=', interviewId)
    .execute();
  await writeFiles(product, files);
}

async function insertShare({ db }: TestApp, { shareId, shareToken, interviewId, name }: FunnelIds): Promise<void> {
  const shown = { shows_contact: false, shows_transcript: true, shows_summary: true, shows_questions: true };
  const batch = { title: `${name} share`, name_shown: 'full', ...shown, may_comment: true, may_decide: true };
  for (const table of ['share_batch', 'share'])
    await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${shareId}::int, false)`.execute(db);
  await db
    .insertInto('share_batch')
    .values({ ...batch, created_by_name: 'admin' })
    .execute();
  const token_hash = createHash('sha256').update(shareToken).digest();
  const expires_at = new Date(Date.now() + 60 * 60_000);
  await db
    .insertInto('share')
    .values({ batch_id: shareId, recipient_name: 'Ann Lee', token_hash, expires_at })
    .execute();
  await db.insertInto('share_item').values({ share_id: shareId, n: 1, interview_id: interviewId }).execute();
}

async function writeFiles({ dataDir }: TestApp, names: { video_file: string; thumbnail_file: string }): Promise<void> {
  const { video_file: video, thumbnail_file: thumbnail } = names;
  for (const [folder, name] of [['videos', video] as const, ['thumbnails', thumbnail] as const]) {
    await mkdir(join(dataDir, 'files', folder), { recursive: true });
    await writeFile(join(dataDir, 'files', folder, name), 'content');
  }
}

async function insertRefresh({ db }: TestApp, { active, refresh, hasHidden = true }: WorldOptions): Promise<void> {
  if (refresh === null || (active === 'hidden' && !hasHidden)) return;
  const run = { funnel_id: FUNNEL_IDS[active], timeframe: 'all', status: refresh, total: 7 };
  await db
    .insertInto('sync_run')
    .values({ ...run, ...(refresh === 'failed' && { error: 'The service is down.', finished_at: new Date() }) })
    .execute();
}
