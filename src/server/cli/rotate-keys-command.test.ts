import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFunnel, deleteFunnel, listFunnels } from '#contracts/funnels.ts';
import { listInterviews } from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import { beginSecondFactor } from '#contracts/second-factor.ts';
import { login } from '#contracts/session.ts';
import { openWebhook } from '#contracts/webhooks.ts';
import { readConfig } from '#server/config/config.ts';
import { readSecrets } from '#server/config/secrets.ts';
import { keyId } from '#server/secrets/sealer.ts';
import { backUp, emptyFolder } from '#support/backups.ts';
import type { Person } from '#support/call.ts';
import { ADA, candidateCommand } from '#support/candidate.ts';
import { CLI, runCommand } from '#support/commands.ts';
import { setUpProcessing } from '#support/processing.ts';
import { FUNNEL, refresh } from '#support/refreshing.ts';
import { setUpFactor } from '#support/second-factor.ts';
import { startApp } from '#support/start-app.ts';
import { type ProductProcess, startProcess } from '#support/start-process.ts';
import { createTestDatabase } from '#support/test-database.ts';
import { until } from '#support/until.ts';
import { waitingSessions } from '#support/waiting-sessions.ts';
import { funnelCommand } from './funnel-command.ts';
import { openDatabase } from './open-database.ts';
import { rotateKeysCommand } from './rotate-keys-command.ts';

const rotateKeys = async (environment: Record<string, string>) =>
  (await runCommand(rotateKeysCommand, [], environment)).result;
const OTHER_KEY = 'cd'.repeat(32);

/** The product as a process with a generated key, and a funnel with an API key. */
async function running() {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const urls = { DATABASE_URL: database.applicationUrl, DATABASE_OWNER_URL: database.url };
  const env = { DATA_DIR: await emptyFolder(), ...urls };
  const product = await startProcess(env);
  await product.call(createFunnel, { body: form('first') });
  const keyFile = () => readFile(join(env.DATA_DIR, 'encryption-key'), 'utf8');
  return { database, env, product, keyFile };
}

const apiKeys = async (user: ProductProcess | Person) =>
  (await user.call(listFunnels, {})).map(({ apiKey }) => apiKey).sort();
const form = (apiKey: string) => ({ name: `Funnel ${apiKey}`, funnelId: apiKey, apiKey });

describe('rotating a generated key', { timeout: 90_000 }, () => {
  test('rotating a generated key replaces it, and the running server uses the new one at once', async () => {
    const { database, env, product, keyFile } = await running();
    const before = await keyFile();
    const keys = await apiKeys(product);
    const [funnel] = await product.call(listFunnels, {});
    const webhook = () => product.call(openWebhook, { params: { id: funnel?.id ?? 0 } });
    const shown = await webhook();
    const result = await rotateKeys(env);
    const { logs } = await product.call(listLogs, { query: { type: 'system' } });
    expect(logs.find(({ action }) => action === 'rotate-keys')).toMatchObject({
      summary: 'Stored secrets were encrypted with a new key: 1 API key and 0 second factors.',
      metadata: { key: expect.stringMatching(/^[0-9a-f]{8}$/), apiKeys: 1, secondFactors: 0, unreadable: 0 },
    });
    expect(result).toMatch(
      /^Encrypted 1 API key and 0 second factors with the key [0-9a-f]{8}\.\nThe former key is in .*encryption-key\.old-[0-9a-f]{8}\. Delete/,
    );
    expect(await keyFile()).not.toBe(before);
    const [old = ''] = (await readdir(env.DATA_DIR)).filter((name) => name.startsWith('encryption-key.old-'));
    expect(await readFile(join(env.DATA_DIR, old), 'utf8')).toBe(before);
    expect((await stat(join(env.DATA_DIR, 'encryption-key'))).mode & 0o777).toBe(0o600);

    expect(await apiKeys(product)).toEqual(keys);
    expect(await webhook()).toEqual(shown);
    // As it is when the process is killed after the last row and before the files are changed.
    await rename(join(env.DATA_DIR, 'encryption-key'), join(env.DATA_DIR, 'encryption-key.next'));
    await writeFile(join(env.DATA_DIR, 'encryption-key'), before);
    expect(await apiKeys(product)).toEqual(keys);
    expect(await rotateKeys(env)).toContain(result.split('\n')[0]);
    expect(await apiKeys(product)).toEqual(keys);
    await product.call(createFunnel, { body: form('later') });
    await product.terminate();
    const second = await startApp({ database, dataDir: env.DATA_DIR, env: { ...env, ENCRYPTION_KEY: '' } });
    expect(await apiKeys(await second.signedIn())).toEqual([...keys, 'later'].sort());
  });

  test('a funnel is restored from a backup made before the rotation with both keys', async () => {
    const { env, product, keyFile } = await running();
    const former = await keyFile();
    const keys = await apiKeys(product);
    const opened = await openDatabase(readConfig(env), { needs: 'current' });
    await sql`INSERT INTO interview (id, funnel_id, title, recorded_at, created_at)
      SELECT 'iv-1', id, 'One', now(), now() FROM funnel`.execute(opened.db);
    await opened[Symbol.asyncDispose]();
    const { file } = await backUp(env);
    await rotateKeys(env);
    const [funnel] = await product.call(listFunnels, {});
    await product.call(deleteFunnel, { params: { id: funnel?.id ?? 0 } });
    const restore = (environment: Record<string, string>) =>
      runCommand(funnelCommand, ['restore', file, 'Funnel first', '--yes'], environment);
    await expect(restore(env)).rejects.toThrow('set ENCRYPTION_KEY to the present key and ENCRYPTION_KEY_PREVIOUS to');
    const both = { ...env, ENCRYPTION_KEY: (await keyFile()).trim(), ENCRYPTION_KEY_PREVIOUS: former.trim() };
    expect((await restore(both)).result).toContain('Restored funnel "Funnel first" with 1 interview and 0 files.');
    expect(await apiKeys(product)).toEqual(keys);
  });

  test('rotating a generated key keeps everything readable when it is killed while funnels are written, and the next run continues', async () => {
    const dataDir = await emptyFolder();
    await readSecrets(readConfig({ DATA_DIR: dataDir }));
    const product = await startApp({ dataDir, env: { ENCRYPTION_KEY: '' } });
    const person = await product.signedIn();
    await person.call(createFunnel, { body: form('first') });
    const before = await readFile(join(dataDir, 'encryption-key'), 'utf8');
    // Holds the rotation between the API keys, which it has written, and the second factors.
    const held = await product.db.startTransaction().execute();
    await sql`LOCK TABLE second_factor IN EXCLUSIVE MODE`.execute(held);
    const child = spawn(process.execPath, [CLI, 'keys:rotate'], {
      env: { PATH: process.env.PATH, ...product.environment },
      stdio: 'ignore',
    });
    await until('the rotation waits', async () => (await waitingSessions(product.db)) === 1);
    const written = person.call(createFunnel, { body: form('written') });
    await until('the new funnel waits too', async () => (await waitingSessions(product.db)) === 2);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await held.commit().execute();
    await written;
    expect(await apiKeys(person)).toEqual(['first', 'written']);
    expect(await readFile(join(dataDir, 'encryption-key'), 'utf8')).toBe(before);
    expect(await readdir(dataDir)).toContain('encryption-key.next');

    expect(await rotateKeys(product.environment)).toContain('Encrypted 2 API keys and 0 second factors');
    expect((await readdir(dataDir)).filter((name) => name.endsWith('.next'))).toEqual([]);
    expect(await apiKeys(person)).toEqual(['first', 'written']);
  });
});

describe('rotating ENCRYPTION_KEY', () => {
  test('rotating ENCRYPTION_KEY prints the variables to set if only one key is configured', async () => {
    const { product } = await setUpProcessing();
    await expect(rotateKeys(product.environment)).rejects.toThrow(
      /Nothing was changed\. Set these for all processes.*\n\n {2}ENCRYPTION_KEY=[0-9a-f]{64}\n {2}ENCRYPTION_KEY_PREVIOUS=/,
    );
  });

  test('rotating ENCRYPTION_KEY encrypts everything with the new key, and erased candidates stay erased', async () => {
    const { sandbox, product, recruiter, id } = await setUpProcessing();
    sandbox.control.change(FUNNEL, id, { candidate: ADA });
    await refresh(product, recruiter);
    await candidateCommand(product, ['erase', ADA.email, '--yes']);
    await product.stop();
    const { ENCRYPTION_KEY: former = '' } = product.environment;
    const both = { ...product.environment, ENCRYPTION_KEY: OTHER_KEY, ENCRYPTION_KEY_PREVIOUS: former };
    expect(await rotateKeys(both)).toContain('ENCRYPTION_KEY_PREVIOUS is no longer needed.');

    const { ENCRYPTION_KEY_PREVIOUS: _, ...alone } = both;
    const second = await startApp({ database: product.database, dataDir: product.dataDir, env: alone });
    const person = await second.signedIn();
    expect((await person.call(listFunnels, {})).map(({ apiKey }) => apiKey)).not.toContain('');
    await refresh(second, person);
    expect((await person.call(listInterviews, { query: { search: ADA.email } })).total).toBe(0);
  });

  test('rotating ENCRYPTION_KEY encrypts second factors with the new key, and they still accept codes', async () => {
    const product = await startApp();
    const person = await product.signedIn();
    const { phone } = await setUpFactor(person, 'admin123');
    await person.call(beginSecondFactor, { body: { currentPassword: 'admin123', code: phone.code(1) } });
    await product.stop();
    const { ENCRYPTION_KEY: former = '' } = product.environment;
    const both = { ...product.environment, ENCRYPTION_KEY: OTHER_KEY, ENCRYPTION_KEY_PREVIOUS: former };
    expect(await rotateKeys(both)).toMatch(/^Encrypted 0 API keys and 1 second factor with the key \w{8}\./);

    const { ENCRYPTION_KEY_PREVIOUS: _, ...alone } = both;
    const env = { ...alone };
    const second = await startApp({ database: product.database, dataDir: product.dataDir, env });
    const sealed = await second.db.selectFrom('second_factor').select(['secret_sealed', 'pending_sealed']).execute();
    const marks = sealed.flatMap((row) => [row.secret_sealed, row.pending_sealed].map((it) => it?.subarray(4, 8)));
    expect(marks).toEqual([keyId(Buffer.from(OTHER_KEY, 'hex')), keyId(Buffer.from(OTHER_KEY, 'hex'))]);
    // The last used code is of a future period. Later ones would be rejected as too far ahead.
    await second.db.updateTable('second_factor').set({ last_step: 0 }).execute();
    await second.anonymous().call(login, { body: { username: 'admin', password: 'admin123', code: phone.code() } });
  });

  test('rotating ENCRYPTION_KEY reports a second factor that no key decrypts, with instructions', async () => {
    const product = await startApp();
    await setUpFactor(await product.signedIn(), 'admin123');
    const env = { ...product.environment, ENCRYPTION_KEY: OTHER_KEY, ENCRYPTION_KEY_PREVIOUS: 'ef'.repeat(32) };
    expect(await rotateKeys(env)).toContain(
      'No key decrypts the second factor of admin. Run: npm run user -- reset-second-factor "admin"',
    );
  });

  test('a refresh without the key of the erasure marks fails with advice instead of bringing erased candidates back', async () => {
    const { product, funnel } = await setUpProcessing({ at: () => ({ candidate: ADA }) });
    await candidateCommand(product, ['erase', ADA.email, '--yes']);
    await product.stop();
    const env = { ...product.environment, ENCRYPTION_KEY: OTHER_KEY };
    const second = await startApp({ database: product.database, dataDir: product.dataDir, env });
    const person = await second.signedIn();
    await second.build.activeFunnel(person, { ...funnel, name: 'With a key entered again' });
    const status = await refresh(second, person);
    expect(status.error).toContain('ENCRYPTION_KEY_PREVIOUS');
    expect((await person.call(listInterviews, { query: { search: ADA.email } })).total).toBe(0);
  });
});
