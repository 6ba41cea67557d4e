import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from './config.ts';
import { describeConfig } from './described-config.ts';
import { isSecret } from './secret-files.ts';
import { VARIABLES } from './variables.ts';

async function fileWith(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'interviews-secrets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'secret');
  await writeFile(path, content);
  return path;
}

const KEY = 'ab'.repeat(32);

test.each(['', '\n', '\r\n'])(
  'a secret is read from the file that NAME_FILE names, without a last line end %j',
  async (end) => {
    const path = await fileWith(KEY + end);
    expect(readConfig({ ENCRYPTION_KEY_FILE: path })).toMatchObject({ ENCRYPTION_KEY: KEY });
    const described = describeConfig({ ENCRYPTION_KEY_FILE: path, DATA_DIR: '/nowhere' });
    expect(described.find(({ name }) => name === 'ENCRYPTION_KEY')).toMatchObject({ shown: path, source: 'file' });
  },
);

test('every secret and every address of a database may be in a file', async () => {
  const secrets = Object.keys(VARIABLES).filter(isSecret);
  expect(secrets).toContain('S3_SECRET_ACCESS_KEY');
  const path = await fileWith(`${KEY}\n`);
  const database = await fileWith('postgres://ann:secret@host/x\n');
  const environment = {
    ...Object.fromEntries(secrets.map((name) => [`${name}_FILE`, path])),
    YOUTUBE_CLIENT_ID: 'id',
    DATABASE_URL_FILE: database,
    DATABASE_OWNER_URL_FILE: database,
  };
  const config = readConfig(environment);
  expect(Object.fromEntries(secrets.map((name) => [name, config[name as keyof typeof config]]))).toEqual(
    Object.fromEntries(secrets.map((name) => [name, KEY])),
  );
  expect(config).toMatchObject({
    DATABASE_URL: 'postgres://ann:secret@host/x',
    DATABASE_OWNER_URL: 'postgres://ann:secret@host/x',
  });
});

test('all problems with files are reported together, without contents', async () => {
  const path = await fileWith('hunter2');
  const given = {
    METRICS_TOKEN_FILE: '/nowhere/token',
    ADMIN_PASSWORD: 'hunter2hunter2',
    ADMIN_PASSWORD_FILE: path,
    SESSION_SECRET_FILE: path,
    SUMMARY_API_KEY_FILE: await fileWith('\n'),
    PORT: 'x',
  };
  const read = () => readConfig(given);
  expect(read).toThrow(/ADMIN_PASSWORD and ADMIN_PASSWORD_FILE are both set\. Unset one of them\./);
  expect(read).toThrow(/METRICS_TOKEN_FILE is \/nowhere\/token, which cannot be read \(ENOENT\)\./);
  expect(read).toThrow(/SUMMARY_API_KEY_FILE is .*, which is empty\./);
  expect(read).toThrow(/PORT must .*SESSION_SECRET must have at least 16 characters/s);
  expect(read).not.toThrow(/hunter2/);
});

test('other variables are not read from files', async () => {
  expect(readConfig({ PORT_FILE: await fileWith('6000') }).PORT).toBe(5000);
});
