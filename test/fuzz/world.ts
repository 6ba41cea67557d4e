import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { sql } from 'kysely';
import { inviteAccount } from '#contracts/accounts.ts';
import { activateFunnel, createFunnel, deleteFunnel, listFunnels, updateFunnel } from '#contracts/funnels.ts';
import { getUser, login } from '#contracts/session.ts';
import { startSync } from '#contracts/sync.ts';
import { openWebhook } from '#contracts/webhooks.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { startSandbox } from '#sandbox/start-sandbox.ts';
import { createEvents } from '#server/compose-events.ts';
import { Accounts } from '#server/features/session/accounts/accounts.service.ts';
import type { Person } from '#support/call.ts';
import { connectBullhorn } from '#support/connect-bullhorn.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { openedGuest, shareOne, tokenOf } from '#support/sharing.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { CHANGER, type Identity, type KnownIds, LEAVER } from './fuzz-request.ts';

/** A listening product that contains data of every kind, and the ids of that data. */
export interface FuzzWorld {
  product: TestApp;
  origin: URL;
  known: KnownIds;
  cookieOf(identity: Identity): string | undefined;
  /** Restores the accounts, sessions, funnels and interviews that the requests have removed. */
  restore(): Promise<void>;
}

const PERMANENT = [1, 2];
/** The funnel with a webhook. */
const ANNOUNCED = 3;
const DISPOSABLE = [11, 12, 13, 14];
const OTHERS_FROM = 1_000;
const INTERVIEW_IDS = ['iv_1', 'iv-2', 'a b', 'ä/ö?#%', "';--", '100%', '..a', '\u{1F642}', 'constructor', '__proto__'];
/** The ids of `leaver` and `invited`. */
const ACCOUNTS = [2, 4];
const COMMENTS = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
const UPLOADS = ['upload-1', 'upload-2', 'upload-3'];
const FUNNEL = 'warehouse';

/** `cleanup` is disposed at the end. */
export async function openWorld(cleanup: AsyncDisposableStack): Promise<FuzzWorld> {
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const { product, origin } = await startListening(productVariables(sandbox), cleanup);
  await connectBullhorn(product);
  const accounts = new Accounts(product.db, createEvents());

  const form = sandbox.funnels.find(({ funnelId }) => funnelId === FUNNEL);
  if (!form) throw new Error(`The sandbox has no funnel ${FUNNEL}`);
  const people = { staff: await product.signedIn(), leaver: product.anonymous(), changer: product.anonymous() };
  const invitation = await invite(product, people.staff);
  const restore = async () => {
    await restoreAccounts(product, accounts);
    await invitation.restore();
    await signInAgain(product, people);
    await restoreFunnels(product, people.staff, form);
    await restoreInterviews(product);
    await restoreComments(product);
    await restoreUploads(product);
    await restoreSavedViews(product);
    await restoreWebhooks(product);
    await links?.restore();
  };
  let links: SharedLinks | null = null;
  await restore();
  links = await shareInterviews(product, people.staff);
  await people.staff.call(startSync, { query: {} });
  await product.refreshEnded(people.staff);

  return {
    product,
    origin,
    known: {
      ...(await findKnownIds(product)),
      hooks: [await openHook(people.staff)],
      invitations: [invitation.token],
      links: [links.token],
      shares: [links.changedId],
    },
    cookieOf: (identity) => {
      if (identity === 'anonymous') return undefined;
      return identity === 'guest' ? links?.cookie : people[identity].cookie;
    },
    restore,
  };
}

async function startListening(env: Record<string, string>, cleanup: AsyncDisposableStack) {
  const webFolder = await builtPages();
  cleanup.defer(() => rm(webFolder, { recursive: true }));
  const product = await startApp({
    env: { ...env, READ_QUOTA: '1000000000' },
    webFolder,
    onFinished: (clear) => cleanup.defer(clear),
  });
  await product.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = product.app.server.address() as AddressInfo;
  return { product, origin: new URL(`http://127.0.0.1:${port}`) };
}

async function builtPages(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'interviews-fuzz-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Video Interview Management</title>');
  await writeFile(join(folder, 'assets/index-abc123.js'), 'console.log("hello");');
  return folder;
}

async function openHook(staff: Person): Promise<string> {
  const { path } = await staff.call(openWebhook, { params: { id: ANNOUNCED } });
  return path;
}

async function findKnownIds({ db }: TestApp): Promise<Omit<KnownIds, 'hooks' | 'invitations' | 'links' | 'shares'>> {
  const rows = await db.selectFrom('interview').select(['id', 'video_file', 'thumbnail_file']).execute();
  return {
    interviews: rows.map(({ id }) => id),
    funnels: PERMANENT,
    disposableFunnels: DISPOSABLE,
    uploads: UPLOADS,
    accounts: ACCOUNTS,
    comments: COMMENTS,
    files: rows.flatMap(({ video_file, thumbnail_file }) => [video_file ?? [], thumbnail_file ?? []].flat()),
  };
}

/** Undoes changes by the staff: changed and deleted accounts, and tokens up to the limit. */
async function restoreAccounts({ db }: TestApp, accounts: Accounts): Promise<void> {
  await db.deleteFrom('account').where('username', '!=', 'admin').execute();
  await db.deleteFrom('api_token').execute();
  await setNextId(db, 'account', 2);
  for (const account of [LEAVER, CHANGER]) await accounts.add(account);
}

/** An invitation whose token stays the same when it is restored. */
async function invite({ db }: TestApp, staff: Person): Promise<{ token: string; restore(): Promise<void> }> {
  const body = { username: 'invited', role: 'reviewer' as const, allFunnels: true, funnelIds: [] };
  const { invitation } = await staff.call(inviteAccount, { body });
  const row = await db.selectFrom('invitation').select(['token_hash', 'expires_at']).executeTakeFirstOrThrow();
  return {
    token: basename(invitation.link),
    restore: async () => {
      const { account } = await staff.call(inviteAccount, { body });
      await db.updateTable('invitation').set(row).where('account_id', '=', account.id).execute();
    },
  };
}

interface SharedLinks {
  token: string;
  /** The cookie of a browser that has opened the token's link. */
  cookie: string | undefined;
  /** The link that requests of the staff revoke and replace, so that guests reach the other one. */
  changedId: number;
  restore(): Promise<void>;
}

/** Two links whose tokens and interviews are the same after they are restored. */
async function shareInterviews({ app, db }: TestApp, staff: Person): Promise<SharedLinks> {
  const opened = await shareOne(staff, { interviewIds: INTERVIEW_IDS });
  const changed = await shareOne(staff, { interviewIds: INTERVIEW_IDS });
  const ids = [opened.id, changed.id];
  const rows = await db.selectFrom('share').selectAll().where('id', 'in', ids).execute();
  const { cookie } = await openedGuest(app, opened);
  return {
    token: tokenOf(opened),
    cookie,
    changedId: changed.id,
    restore: async () => {
      await db.deleteFrom('share').where('id', 'not in', ids).execute();
      for (const { id, ...columns } of rows) await db.updateTable('share').set(columns).where('id', '=', id).execute();
      await sql`INSERT INTO share_item (share_id, n, interview_id)
        SELECT share.id, item.n, item.id
        FROM unnest(${ids}::int[]) AS share (id), unnest(${INTERVIEW_IDS}::text[]) WITH ORDINALITY AS item (id, n)
        ON CONFLICT DO NOTHING`.execute(db);
    },
  };
}

async function signInAgain(
  product: TestApp,
  { staff, leaver, changer }: Record<'staff' | 'leaver' | 'changer', Person>,
): Promise<void> {
  await product.db.deleteFrom('sign_in_failure').execute();
  for (const [person, body] of [
    [leaver, LEAVER],
    [changer, CHANGER],
  ] as const) {
    person.cookie = undefined;
    await person.call(login, { body });
  }
  const signedOut = await staff.request({ method: 'GET', url: getUser.path });
  if (signedOut.statusCode === 200) return;
  staff.cookie = undefined;
  await staff.call(login, { body: { username: 'admin', password: 'admin123' } });
}

/** Fixes the ids, so that the same seed generates the same requests. */
async function restoreFunnels(
  { db }: TestApp,
  staff: Person,
  form: { name: string; apiKey: string; funnelId: string },
): Promise<void> {
  const there = await staff.call(listFunnels, {});
  for (const { id } of there) {
    if (![...PERMANENT, ANNOUNCED, ...DISPOSABLE].includes(id)) await staff.call(deleteFunnel, { params: { id } });
  }
  for (const id of [...PERMANENT, ANNOUNCED, ...DISPOSABLE]) {
    if (there.some((funnel) => funnel.id === id)) continue;
    await setNextId(db, 'funnel', id);
    await staff.call(createFunnel, { body: { ...form, funnelId: `${form.funnelId}-${id}` } });
  }
  await setNextId(db, 'funnel', OTHERS_FROM);
  await staff.call(updateFunnel, { params: { id: 1 }, body: form });
  await staff.call(activateFunnel, { params: { id: 1 } });
}

const setNextId = (
  db: TestApp['db'],
  table: 'account' | 'funnel' | 'saved_view' | 'outgoing_webhook' | 'webhook_delivery',
  id: number,
) => sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${id}, false)`.execute(db);

async function restoreInterviews({ db }: TestApp): Promise<void> {
  const there = await db.selectFrom('interview').select('id').where('id', 'in', INTERVIEW_IDS).execute();
  const missing = INTERVIEW_IDS.filter((id) => !there.some((row) => row.id === id));
  if (missing.length > 0)
    await insertInterviews(
      db,
      missing.map((id) => ({ id, funnelId: 2, transcript: `Hello from ${id}.` })),
    );
}

async function restoreComments({ db }: TestApp): Promise<void> {
  const comment = {
    interview_id: INTERVIEW_IDS[0] ?? '',
    account_id: await findStaffId(db),
    author: 'admin',
    body: 'A good answer.',
    at_seconds: 3,
  };
  await db.deleteFrom('comment').execute();
  await db
    .insertInto('comment')
    .values(COMMENTS.map((id) => ({ id, ...comment })))
    .execute();
}

/** Inserts the uploads again, without received bytes. */
async function restoreUploads({ db }: TestApp): Promise<void> {
  const account_id = await findStaffId(db);
  const upload = { account_id, funnel_id: 1, file_name: 'dana.mp4', size_bytes: 2_000, candidate_name: 'Dana' };
  await db.deleteFrom('upload').where('id', 'in', UPLOADS).execute();
  await db
    .insertInto('upload')
    .values(UPLOADS.map((id) => ({ id, ...upload, modified_at: new Date() })))
    .execute();
}

/** Inserts saved views with the ids of funnels, so that a request can change one. */
async function restoreSavedViews({ db }: TestApp): Promise<void> {
  const account_id = await findStaffId(db);
  await db.deleteFrom('saved_view').execute();
  await sql`INSERT INTO saved_view (id, account_id, name, query) OVERRIDING SYSTEM VALUE
    SELECT id, ${account_id}, 'View ' || id, 'status=new' FROM unnest(${PERMANENT}::int[]) AS id`.execute(db);
  await setNextId(db, 'saved_view', OTHERS_FROM);
}

/** Inserts outgoing webhooks, each with a delivery of the same id. */
async function restoreWebhooks({ db }: TestApp): Promise<void> {
  await db.deleteFrom('outgoing_webhook').execute();
  await sql`INSERT INTO outgoing_webhook (id, url_sealed, host, events, format, includes_personal_data, secret_sealed)
    OVERRIDING SYSTEM VALUE SELECT id, '', 'example.com', '{step.failed}', 'json', true, '' FROM generate_series(1, 5) AS id`.execute(
    db,
  );
  await sql`INSERT INTO webhook_delivery (id, webhook_id, event_id, type, actor, data, state)
    OVERRIDING SYSTEM VALUE SELECT id, id, gen_random_uuid(), 'step.failed', '{"kind": "system", "id": null, "name": null}', '{}', 'failed'
    FROM generate_series(1, 5) AS id`.execute(db);
  for (const table of ['outgoing_webhook', 'webhook_delivery'] as const) await setNextId(db, table, OTHERS_FROM);
}

async function findStaffId(db: TestApp['db']): Promise<number> {
  const { id } = await db.selectFrom('account').select('id').where('username', '=', 'admin').executeTakeFirstOrThrow();
  return id;
}
