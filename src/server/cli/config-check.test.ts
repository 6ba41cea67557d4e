import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig, VARIABLES } from '#server/config/config.ts';
import { emptyFolder } from '#support/backups.ts';
import { startClamd } from '#support/clamd.ts';
import { setUpProcessing } from '#support/processing.ts';
import { startApp } from '#support/start-app.ts';
import { createEmptyDatabase } from '#support/test-database.ts';
import { checkConfig } from './config-check.ts';
import { openDatabase } from './open-database.ts';

async function check(environment: Record<string, string>) {
  let printed = '';
  const print = (text: string) => {
    printed += text;
  };
  const said = await checkConfig([], { environment, print }).catch((error: Error) => error);
  return { printed, said: said instanceof Error ? null : said, problem: said instanceof Error ? said.message : null };
}

const MARKER = 'f00dfeed'.repeat(8);

describe('check:config', () => {
  test('prints every variable with where its value comes from', async () => {
    const { environment } = await startApp({ jobs: false });
    const { printed, said } = await check({ ...environment, PORT: '6001' });
    for (const name of Object.keys(VARIABLES)) expect(printed).toMatch(new RegExp(`^${name} `, 'm'));
    expect(printed).toMatch(/^PORT +6001$/m);
    expect(printed).toMatch(/^LOG_LEVEL +info \(default\)$/m);
    expect(printed).toMatch(/^INTERVIEW_SERVICE_URL +\(not set\)$/m);
    expect(printed).toMatch(/^SESSION_SECRET +.*session-secret \(generated at the first start\)$/m);
    expect(said).toMatch(
      /The configuration is valid\.\nDATA_DIR can be written: .*\nThe database answers: PostgreSQL \d+\.\nEvery API key/,
    );
  });

  test('shows no secret, in whatever variable or address it stands', async () => {
    const secrets = Object.keys(VARIABLES).filter((name) => /(PASSWORD|SECRET|TOKEN|KEY|PREVIOUS)$/.test(name));
    expect(secrets.length).toBeGreaterThan(6);
    const environment = {
      ...Object.fromEntries(secrets.map((name) => [name, MARKER])),
      YOUTUBE_CLIENT_ID: 'a client',
      DATA_DIR: await emptyFolder(),
      DATABASE_URL: `postgres://ann:${MARKER}@127.0.0.1:1/db?sslpassword=${MARKER}`,
      INTERVIEW_SERVICE_URL: `https://bob:${MARKER}@service.example/api`,
    };
    const { printed, problem } = await check(environment);
    expect(printed + problem).not.toContain(MARKER);
    expect(printed).toContain('postgres://••••••@127.0.0.1:1/db?sslpassword=••••••');
    expect(problem).toMatch(/^The database cannot be reached: .* Check DATABASE_URL\.$/);
    const odd = await check({
      ...environment,
      DATABASE_URL: `postgres://ann:${MARKER}@/db?host=/run&password=${MARKER}`,
    });
    expect(odd.printed + odd.problem).not.toContain(MARKER);
  });

  test('makes nothing: neither the folder nor a database', async () => {
    const folder = await emptyFolder();
    const { said } = await check({ DATA_DIR: join(folder, 'new') });
    expect(said).toContain('DATA_DIR will be made');
    expect(said).toContain('The database will be made at the first start.');
    expect(await readdir(folder)).toEqual([]);
  });

  test('leaves an empty database empty', async () => {
    const database = await createEmptyDatabase();
    onTestFinished(database.drop);
    const { said } = await check({ DATA_DIR: await emptyFolder(), DATABASE_URL: database.url });
    expect(said).toMatch(/PostgreSQL \d+\.\nIt is empty; the first start makes it ready\.$/);
    const { connection, wasMade, close } = await openDatabase(readConfig({ DATABASE_URL: database.url }), {
      needs: 'any',
    });
    onTestFinished(close);
    const { rows } = await connection.pool.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'");
    expect([wasMade, rows]).toEqual([false, []]);
  });

  test('says in one line what is set and has no effect yet, and that the product can start', async () => {
    const environment = { DATA_DIR: await emptyFolder(), YOUTUBE_CLIENT_ID: 'i', YOUTUBE_CLIENT_SECRET: 's' };
    expect((await check(environment)).said).toMatch(
      /^The configuration is valid\.\nYouTube is not connected, for want of YOUTUBE_REFRESH_TOKEN: .*\nDATA_DIR/,
    );
  });

  test('says whether the virus scanner answers, and that the product can start without', async () => {
    const clamd = await startClamd();
    const environment = {
      DATA_DIR: await emptyFolder(),
      CLAMD_ADDRESS: clamd.address,
      MAX_VIDEO_BYTES: '2000000000',
    };
    expect((await check(environment)).said).toMatch(/\nThe virus scanner answers\.$/);
    await clamd.close();
    const { said, printed } = await check(environment);
    expect(said).toMatch(/\nThe virus scanner does not answer, .* Check CLAMD_ADDRESS, and whether it runs\.$/);
    expect(printed).toMatch(new RegExp(`^CLAMD_ADDRESS +${clamd.address}$`, 'm'));
  });

  test('names every variable that is wrong, beside the values', async () => {
    const { printed, problem } = await check({ PORT: 'x', LOG_LEVEL: 'loud', ENCRYPTION_KEY: MARKER.slice(1) });
    expect(printed).toMatch(/^PORT +x$/m);
    expect(problem).toMatch(/PORT must be.*ENCRYPTION_KEY must be 64.*LOG_LEVEL/s);
    expect(printed + problem).not.toContain(MARKER.slice(1));
  });

  test('says which API keys cannot be read with the encryption key', async () => {
    const { product, funnel } = await setUpProcessing();
    const { problem } = await check({ ...product.environment, ENCRYPTION_KEY: MARKER });
    expect(problem).toContain(`The API keys of "${funnel.name}" cannot be read`);
  });

  test('says that a database takes fewer connections than the pool may hold', async ({ skip }) => {
    const { environment, db } = await startApp({ jobs: false });
    const { rows } = await sql<{ max_connections: string }>`SHOW max_connections`.execute(db);
    const most = Number(rows[0]?.max_connections);
    skip(most > 200, 'No pool is as large as what this server takes.');
    const { problem } = await check({ ...environment, DATABASE_POOL_SIZE: String(most) });
    expect(problem).toMatch(/^DATABASE_POOL_SIZE is (\d+), and the database takes \1 connections .*Raise its max_conn/);
  });

  test('says that a key file holds no key, also before there is a database', async () => {
    const folder = await emptyFolder();
    await writeFile(join(folder, 'encryption-key'), 'half a key');
    const { problem } = await check({ DATA_DIR: folder });
    expect(problem).toContain(`${join(folder, 'encryption-key')} does not hold a key of 64 hexadecimal digits.`);
  });

  test('says that DATA_DIR cannot be written', async () => {
    const file = join(await emptyFolder(), 'a-file');
    await writeFile(file, '');
    for (const DATA_DIR of [file, join(file, 'data')])
      expect((await check({ DATA_DIR })).problem).toMatch(/^DATA_DIR cannot be written: .*a-file is no folder\./);
  });
});
