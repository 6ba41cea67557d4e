import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listInterviews } from '#contracts/interviews.ts';
import { rotateKeysCommand } from '#server/cli/rotate-keys-command.ts';
import { backUp, emptyFolder, restore } from '#support/backups.ts';
import { ADA, candidateCommand, tablesWith } from '#support/candidate.ts';
import { runCommand } from '#support/commands.ts';
import { logsOf, setUpProcessing } from '#support/processing.ts';
import { FUNNEL, filesIn, refresh } from '#support/refreshing.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { createEmptyDatabase } from '#support/test-database.ts';
import { until } from '#support/until.ts';

const setUp = () => setUpProcessing({ at: () => ({ candidate: ADA }) });
const erase = (product: Pick<TestApp, 'environment'>, email: string) =>
  candidateCommand(product as TestApp, ['erase', email, '--yes']);

/** Reads and writes the list, although nothing is stored about the candidate. */
const eraseUnknown = (environment: TestApp['environment']) =>
  expect(erase({ environment }, 'nobody@known.example')).rejects.toThrow(
    'Nothing was erased, but refreshes skip interviews of this candidate from now on.',
  );

/** An empty database and folder with the same encryption key. */
async function elsewhere({ environment }: TestApp) {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  const dataDir = await emptyFolder();
  const urls = { DATABASE_URL: database.applicationUrl, DATABASE_OWNER_URL: database.url };
  return { database, dataDir, env: { ...environment, ...urls, DATA_DIR: dataDir } };
}

describe('after a restore of an older backup', () => {
  test.each(['no candidate', 'another candidate'])(
    'a candidate who was erased since is erased again at the start (erased before the backup: %s)',
    { timeout: 120_000 },
    async (earlier) => {
      const { sandbox, product, recruiter, id } = await setUp();
      const [, second] = sandbox.control.interviews(FUNNEL);
      sandbox.control.change(FUNNEL, second?.id ?? '', { candidate: { name: 'Bob', email: 'bob@earlier.example' } });
      await refresh(product, recruiter);
      if (earlier !== 'no candidate') await erase(product, 'bob@earlier.example');
      const { file } = await backUp(product.environment);
      await erase(product, ADA.email);
      await product.stop();

      const { database, dataDir, env } = await elsewhere(product);
      await copyFile(join(product.dataDir, 'erasures'), join(dataDir, 'erasures'));
      expect(await restore(env, file)).toContain('/erasures are repeated at the next start.');
      const restored = await startApp({ database, dataDir, env });
      const person = await restored.signedIn();
      // A completed job contains the names of its files for a day.
      const left = await tablesWith(restored, [ADA.name, ADA.email, id]);
      expect(left.filter((row) => !row.startsWith('pgboss.'))).toEqual([]);
      await until(
        'its files are removed',
        async () => !(await filesIn(restored, 'videos')).some((name) => name.startsWith(id)),
      );
      const [entry] = await logsOf(person, 'erase-candidate');
      expect(entry?.summary).toBe('Candidates who had been erased after the restored backup were erased again.');

      sandbox.control.change(FUNNEL, id, { title: 'Changed' });
      await refresh(restored, person);
      expect((await person.call(listInterviews, { query: { search: ADA.email } })).total).toBe(0);
      // A later erasure uses the key of the list.
      await eraseUnknown(env);
    },
  );

  test('the command asks for the list of erasures if it is missing', async () => {
    const { product } = await setUp();
    const { file } = await backUp(product.environment);
    const { env } = await elsewhere(product);
    expect(await restore(env, file)).toContain('copy the file erasures from the former DATA_DIR');
  });
});

describe('the list of erasures', () => {
  test('the list of erasures contains neither names nor emails, and is readable by its owner only', async () => {
    const { product, id } = await setUp();
    await erase(product, ADA.email);
    const path = join(product.dataDir, 'erasures');
    const written = (await readFile(path)).toString('latin1');
    for (const text of [ADA.email, ADA.name, id]) expect(written).not.toContain(text);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('the list of erasures that cannot be read stops an erasure before anything is changed', async () => {
    const { product, recruiter } = await setUp();
    await writeFile(join(product.dataDir, 'erasures'), 'of another installation');
    await expect(erase(product, ADA.email)).rejects.toThrow(
      '/erasures cannot be read with the current ENCRYPTION_KEY.',
    );
    expect((await recruiter.call(listInterviews, { query: { search: ADA.email } })).total).toBe(1);
  });

  test('the list of erasures stays readable after a rotation of the encryption key', async () => {
    const { product } = await setUp();
    await erase(product, ADA.email);
    const { ENCRYPTION_KEY = '' } = product.environment;
    const rotated = {
      ...product.environment,
      ENCRYPTION_KEY: 'ab'.repeat(32),
      ENCRYPTION_KEY_PREVIOUS: ENCRYPTION_KEY,
    };
    await runCommand(rotateKeysCommand, [], rotated);
    await eraseUnknown({ ...rotated, ENCRYPTION_KEY_PREVIOUS: '' });
  });
});
