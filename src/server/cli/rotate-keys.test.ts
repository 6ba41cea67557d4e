import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createFunnel, listFunnels, updateFunnel } from '#contracts/funnels.ts';
import { listInterviews } from '#contracts/interviews.ts';
import { beginSecondFactor } from '#contracts/second-factor.ts';
import { login } from '#contracts/session.ts';
import { ADA, candidateCommand } from '#support/candidate.ts';
import { activeFunnel, FUNNEL, surroundings } from '#support/process-surroundings.ts';
import { setUpProcessing } from '#support/processing.ts';
import { refresh } from '#support/refreshing.ts';
import { setUpFactor } from '#support/second-factor.ts';
import { startApp } from '#support/start-app.ts';
import { type ProductProcess, startProcess } from '#support/start-process.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { keyId } from '../secrets/sealer.ts';
import { rotateKeys } from './rotate-keys.ts';

const PROGRAM = fileURLToPath(new URL('./keys-rotate.ts', import.meta.url));
const OTHER_KEY = 'cd'.repeat(32);

/** The product as a process with a generated key, and a funnel with an API key. */
async function running() {
  const sandbox = await startSandbox();
  const env = await surroundings(sandbox);
  const product = await startProcess(env);
  await activeFunnel(product, sandbox);
  const keyFile = () => readFile(join(env.DATA_DIR, 'encryption-key'), 'utf8');
  return { env, product, keyFile };
}

const apiKeys = async (product: ProductProcess) =>
  (await product.call(listFunnels, {})).map(({ apiKey }) => apiKey).sort();
const form = (apiKey: string) => ({ name: `Funnel ${apiKey}`, funnelId: apiKey, apiKey });

describe('with a generated key', { timeout: 90_000 }, () => {
  test('another one takes its place, and the running product reads and writes with it at once', async () => {
    const { env, product, keyFile } = await running();
    const before = await keyFile();
    const keys = await apiKeys(product);
    const said = await rotateKeys([], env);
    expect(said).toMatch(
      /^1 API key is sealed with the key [0-9a-f]{8}\.\nThe former key is .*encryption-key\.old-[0-9a-f]{8}: delete it/,
    );
    expect(await keyFile()).not.toBe(before);
    const [old = ''] = (await readdir(env.DATA_DIR)).filter((name) => name.startsWith('encryption-key.old-'));
    expect(await readFile(join(env.DATA_DIR, old), 'utf8')).toBe(before);
    expect((await stat(join(env.DATA_DIR, 'encryption-key'))).mode & 0o777).toBe(0o600);

    expect(await apiKeys(product)).toEqual(keys);
    // As it is when the process is killed after the last row and before the files are changed.
    await rename(join(env.DATA_DIR, 'encryption-key'), join(env.DATA_DIR, 'encryption-key.next'));
    await writeFile(join(env.DATA_DIR, 'encryption-key'), before);
    expect(await apiKeys(product)).toEqual(keys);
    expect(await rotateKeys([], env)).toContain(said.split('\n')[0]);
    expect(await apiKeys(product)).toEqual(keys);
    await product.call(createFunnel, { body: form('later') });
    await product.terminate();
    const second = await startProcess(env);
    expect(await apiKeys(second)).toEqual([...keys, 'later'].sort());
  });

  test('killed at any moment, and while funnels are written, everything stays readable, and the next run goes on', async () => {
    const { env, product } = await running();
    const [first] = await product.call(listFunnels, {});
    const expected = new Set(await apiKeys(product));
    for (let round = 0; round < 8; round += 1) {
      const child = spawn(process.execPath, [PROGRAM], { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
      const ended = once(child, 'exit');
      const killed = pause(150 + Math.random() * 700).then(() => child.kill('SIGKILL'));
      const key = `written-${round}`;
      expected.add(key);
      await product.call(createFunnel, { body: form(key) });
      await product.call(updateFunnel, {
        params: { id: first?.id ?? 0 },
        body: { ...form('edited'), funnelId: FUNNEL },
      });
      await Promise.all([ended, killed]);
      expect(await apiKeys(product), `round ${round}`).toContain(key);
    }
    await rotateKeys([], env);
    expect((await readdir(env.DATA_DIR)).filter((name) => name.endsWith('.next'))).toEqual([]);
    await product.terminate();
    const second = await startProcess(env);
    const keys = await apiKeys(second);
    for (const key of [...expected].filter((key) => key.startsWith('written'))) expect(keys).toContain(key);
    expect(keys).not.toContain('');
  });
});

describe('with ENCRYPTION_KEY', () => {
  test('says what to set when only the one key is known', async () => {
    const { product } = await setUpProcessing();
    await expect(rotateKeys([], product.environment)).rejects.toThrow(
      /Nothing was changed\. Set these for all processes.*\n\n {2}ENCRYPTION_KEY=[0-9a-f]{64}\n {2}ENCRYPTION_KEY_PREVIOUS=/,
    );
  });

  test('everything is sealed with the new key, and erased candidates stay erased', async () => {
    const { sandbox, product, recruiter, id } = await setUpProcessing();
    sandbox.control.change(FUNNEL, id, { candidate: ADA });
    await refresh(product, recruiter);
    await candidateCommand(product, ['erase', ADA.email, '--yes']);
    await product.stop();
    const { ENCRYPTION_KEY: former = '' } = product.environment;
    const both = { ...product.environment, ENCRYPTION_KEY: OTHER_KEY, ENCRYPTION_KEY_PREVIOUS: former };
    expect(await rotateKeys([], both)).toContain('ENCRYPTION_KEY_PREVIOUS is no longer needed.');

    const { ENCRYPTION_KEY_PREVIOUS: _, ...alone } = both;
    const second = await startApp({ database: product.database, dataDir: product.dataDir, env: alone });
    const person = await second.signedIn();
    expect((await person.call(listFunnels, {})).map(({ apiKey }) => apiKey)).not.toContain('');
    await refresh(second, person);
    expect((await person.call(listInterviews, { query: { search: ADA.email } })).total).toBe(0);
  });

  test('second factors are sealed with the new key too, and go on taking codes', async () => {
    const product = await startApp();
    const person = await product.signedIn();
    const { phone } = await setUpFactor(person, 'admin123');
    await person.call(beginSecondFactor, { body: { currentPassword: 'admin123', code: phone.code(1) } });
    await product.stop();
    const { ENCRYPTION_KEY: former = '' } = product.environment;
    const both = { ...product.environment, ENCRYPTION_KEY: OTHER_KEY, ENCRYPTION_KEY_PREVIOUS: former };
    expect(await rotateKeys([], both)).toMatch(/^0 API keys are sealed with the key \w{8}\.\nSo is 1 second factor\./);

    const { ENCRYPTION_KEY_PREVIOUS: _, ...alone } = both;
    const env = { ...alone };
    const second = await startApp({ database: product.database, dataDir: product.dataDir, env });
    const sealed = await second.db.selectFrom('second_factor').select(['secret_sealed', 'pending_sealed']).execute();
    const marks = sealed.flatMap((row) => [row.secret_sealed, row.pending_sealed].map((it) => it?.subarray(4, 8)));
    expect(marks).toEqual([keyId(Buffer.from(OTHER_KEY, 'hex')), keyId(Buffer.from(OTHER_KEY, 'hex'))]);
    // The step of the code that was taken last is in the future: a later one would be refused as too far ahead.
    await second.db.updateTable('second_factor').set({ last_step: 0 }).execute();
    await second.anonymous().call(login, { body: { username: 'admin', password: 'admin123', code: phone.code() } });
  });

  test('a second factor that no key opens is named, with what to do', async () => {
    const product = await startApp();
    await setUpFactor(await product.signedIn(), 'admin123');
    const env = { ...product.environment, ENCRYPTION_KEY: OTHER_KEY, ENCRYPTION_KEY_PREVIOUS: 'ef'.repeat(32) };
    expect(await rotateKeys([], env)).toContain(
      'The second factor of admin cannot be read with any key: npm run user -- reset-second-factor "admin"',
    );
  });

  test('without the key of the marks, a refresh does not bring erased candidates back but says what to do', async () => {
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
