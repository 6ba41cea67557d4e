import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  activateFunnel,
  checkFunnel,
  createFunnel,
  deleteFunnel,
  getActiveFunnel,
  listFunnels,
  revealApiKey,
  updateFunnel,
} from '#contracts/funnels.ts';
import { listInterviews } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import { Sealer } from '#server/secrets/sealer.ts';
import { refusal } from '#support/call.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { startApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';
import { waitingSessions } from '#support/waiting-sessions.ts';
import { ApiKeyVault } from './api-key-vault.ts';

const vaultOf = (...keys: Buffer[]) => new ApiKeyVault(new Sealer(() => keys));

const FORM = {
  name: 'Nurses',
  clientName: '  Mercy Hospital ',
  apiKey: 'sk-very-secret',
  funnelId: 'nurses',
  description: '',
};

async function setUp() {
  const product = await startApp({ jobs: false });
  return { product, recruiter: await product.signedIn() };
}

describe('funnels', () => {
  test('processing new interviews is off, and an edit without the field keeps it', async () => {
    const { recruiter } = await setUp();
    const { id, processAutomatically } = await recruiter.call(createFunnel, { body: FORM });
    expect(processAutomatically).toBe(false);
    const edit = async (part: object) =>
      (await recruiter.call(updateFunnel, { params: { id }, body: { ...FORM, ...part } })).processAutomatically;
    expect(await edit({ processAutomatically: true })).toBe(true);
    expect(await edit({})).toBe(true);
    expect(await edit({ processAutomatically: false })).toBe(false);
  });

  test('a funnel reads the REST service, and a source that the server has not set up is rejected', async () => {
    const { recruiter } = await setUp();
    const { id, source } = await recruiter.call(createFunnel, { body: FORM });
    expect(source).toBe('rest');
    const body = { ...FORM, source: 'videoask' as const };
    const refused = { status: 400, body: { code: 'invalid_input', field: 'source' } };
    expect(await refusal(recruiter.call(createFunnel, { body }))).toMatchObject(refused);
    expect(await refusal(recruiter.call(updateFunnel, { params: { id }, body }))).toMatchObject(refused);
    expect(await refusal(recruiter.call(checkFunnel, { body }))).toMatchObject(refused);
    expect((await recruiter.call(updateFunnel, { params: { id }, body: FORM })).source).toBe('rest');
  });

  test('a new funnel is inactive; texts are trimmed and empty optional fields are null', async () => {
    const { recruiter } = await setUp();
    const funnel = await recruiter.call(createFunnel, { body: FORM });
    expect(funnel).toMatchObject({
      name: 'Nurses',
      clientName: 'Mercy Hospital',
      description: null,
      isActive: false,
      interviewCount: 0,
    });
    expect(await recruiter.call(listFunnels, {})).toEqual([funnel]);
  });

  test('GET /api/funnels/active returns null while no funnel is active', async () => {
    const { recruiter } = await setUp();
    expect(await recruiter.call(getActiveFunnel, {})).toBeNull();
  });

  test('Set Active deactivates the others, even when two are activated at once', async () => {
    const { product, recruiter } = await setUp();
    const ids = [
      await product.build.funnel(recruiter),
      await product.build.funnel(recruiter),
      await product.build.funnel(recruiter),
    ];
    await Promise.all(ids.map((id) => recruiter.call(activateFunnel, { params: { id } })));
    const active = (await recruiter.call(listFunnels, {})).filter(({ isActive }) => isActive);
    expect(active).toHaveLength(1);
    expect((await recruiter.call(getActiveFunnel, {}))?.id).toBe(active[0]?.id);
  });

  test('every change is logged with the name of the funnel', async () => {
    const { recruiter } = await setUp();
    const { id } = await recruiter.call(createFunnel, { body: FORM });
    await recruiter.call(activateFunnel, { params: { id } });
    await recruiter.call(updateFunnel, { params: { id }, body: FORM });
    const summaries = (await recruiter.call(listLogs, { query: {} })).logs.map(({ summary }) => summary);
    expect(summaries.slice(0, 3)).toEqual([
      `Funnel "${FORM.name}" was changed.`,
      `Funnel "${FORM.name}" was set as active.`,
      `Funnel "${FORM.name}" was created.`,
    ]);
  });

  test('an edit replaces the fields of a funnel and keeps it active', async () => {
    const { product, recruiter } = await setUp();
    const id = await product.build.activeFunnel(recruiter);
    const edited = await recruiter.call(updateFunnel, {
      params: { id },
      body: { ...FORM, name: 'Night nurses', apiKey: 'other', skills: 'Care, Calm' },
    });
    expect(edited).toMatchObject({ id, name: 'Night nurses', apiKey: 'other', skills: 'Care, Calm', isActive: true });
  });

  test('the API key is encrypted at rest, returned to staff, and never logged', async () => {
    const { product, recruiter } = await setUp();
    const { id } = await recruiter.call(createFunnel, { body: FORM });
    const row = await product.db
      .selectFrom('funnel')
      .select('api_key_encrypted')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.api_key_encrypted.toString('latin1')).not.toContain(FORM.apiKey);
    expect((await recruiter.call(listFunnels, {}))[0]?.apiKey).toBe(FORM.apiKey);
    expect(JSON.stringify(await recruiter.call(listLogs, { query: {} }))).not.toContain(FORM.apiKey);
  });

  test('revealing an API key is recorded with the user', async () => {
    const product = await startApp({ jobs: false });
    const recruiter = await product.signedIn();
    const id = await product.build.funnel(recruiter, { name: 'Nurses', apiKey: 'secret key' });
    expect(await recruiter.call(revealApiKey, { params: { id } })).toEqual({ apiKey: 'secret key' });
    const [entry] = (await recruiter.call(listLogs, {})).logs;
    expect(entry).toMatchObject({
      action: 'reveal-api-key',
      summary: 'The API key of funnel "Nurses" was revealed.',
      actor: { kind: 'account', name: 'admin' },
    });
    expect(JSON.stringify(entry)).not.toContain('secret key');
  });

  test('deleting a funnel deletes its interviews and leaves others and the log entries', async () => {
    const { product, recruiter } = await setUp();
    const [id, other] = [
      await product.build.funnel(recruiter),
      await product.build.funnel(recruiter, { funnelId: 'other' }),
    ];
    await insertInterviews(product.db, [
      { id: 'a', funnelId: id, transcript: 'Hello' },
      { id: 'b', funnelId: id, archived: true },
      { id: 'c', funnelId: other },
    ]);
    expect((await recruiter.call(listFunnels, {})).map(({ interviewCount }) => interviewCount)).toEqual([1, 1]);
    await recruiter.call(deleteFunnel, { params: { id } });
    expect((await recruiter.call(listInterviews, { query: {} })).interviews.map((interview) => interview.id)).toEqual([
      'c',
    ]);
    expect((await recruiter.call(listLogs, { query: {} })).logs[0]).toMatchObject({
      action: 'delete-funnel',
      metadata: { funnelId: id },
    });
    expect((await refusal(recruiter.call(deleteFunnel, { params: { id } }))).status).toBe(404);
  });

  test('deleting a funnel waits for a concurrent change of its client', async () => {
    const { product, recruiter } = await setUp();
    const { id } = await recruiter.call(createFunnel, { body: FORM });
    await insertInterviews(product.db, [{ id: 'a', funnelId: id }]);
    let deleting: Promise<unknown> = Promise.resolve();
    await product.db.transaction().execute(async (tx) => {
      await tx.updateTable('funnel').set({ name: 'Others' }).where('id', '=', id).execute();
      deleting = recruiter.call(deleteFunnel, { params: { id } });
      await until('the deletion waits', async () => (await waitingSessions(product.db)) > 0);
      // This locks the version of the list. A deletion that began with the interviews would have
      // locked it already, and both transactions would wait for each other.
      await tx.updateTable('funnel').set({ client_name: 'Another' }).where('id', '=', id).execute();
    });
    await deleting;
    expect(await recruiter.call(listFunnels, {})).toEqual([]);
  });
});

describe('the vault of API keys', () => {
  test('an API key is opened only for its funnel and with the encryption key that sealed it', () => {
    const vault = vaultOf(randomBytes(32));
    const sealed = vault.seal('sk-ünïcode', 'nurses');
    expect(vault.open(sealed, 'nurses')).toBe('sk-ünïcode');
    expect(() => vault.open(sealed, 'engineers')).toThrow('enter the key again');
    expect(() => vaultOf(randomBytes(32)).open(sealed, 'nurses')).toThrow('enter the key again');
    expect(vaultOf(randomBytes(32)).openOrEmpty(sealed, 'nurses')).toBe('');
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
    expect(() => vault.open(sealed, 'nurses')).toThrow('enter the key again');
  });
});
