import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { signOnVariables } from '#sandbox/product-variables.ts';
import { readConfig } from '#server/config/config.ts';
import { VARIABLES } from '#server/config/variables.ts';
import { emptyFolder } from '#support/backups.ts';
import { startClamd } from '#support/clamd.ts';
import { runCommand, runCommandLine } from '#support/commands.ts';
import { freePorts } from '#support/free-ports.ts';
import { setUpProcessing } from '#support/processing.ts';
import { startApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { createEmptyDatabase } from '#support/test-database.ts';
import { CA_FILE } from '#support/tls/certificates.ts';
import { checkConfigCommand } from './check-config-command.ts';
import { openDatabase } from './open-database.ts';

async function check(environment: Record<string, string>) {
  let printed = '';
  const print = (text: string) => {
    printed += text;
  };
  const ran = await runCommand(checkConfigCommand, [], environment, { print }).catch((error: Error) => error);
  return ran instanceof Error
    ? { printed, result: null, problem: ran.message }
    : { printed, result: ran.result, problem: null };
}

const MARKER = 'f00dfeed'.repeat(8);

describe('check:config', () => {
  test('check:config prints every variable with its value and source', async () => {
    const { environment } = await startApp({ jobs: false });
    const { printed, result } = await check({ ...environment, PORT: '6001' });
    for (const name of Object.keys(VARIABLES)) expect(printed).toMatch(new RegExp(`^${name} `, 'm'));
    expect(printed).toMatch(/^PORT +6001$/m);
    expect(printed).toMatch(/^LOG_LEVEL +info \(default\)$/m);
    expect(printed).toMatch(/^INTERVIEW_SERVICE_URL +\(not set\)$/m);
    expect(printed).toMatch(/^SESSION_SECRET +.*session-secret \(generated at the first start\)$/m);
    expect(result).toMatch(
      /All values are valid\.\nDATA_DIR is writable: .*\nThe database responds: PostgreSQL \d+\.\nThe product works as interviews_\w+, .* run as \w+\.\nAll API keys/,
    );
  });

  test('check:config ends with a list of working and missing services', async () => {
    const { environment } = await startApp({ jobs: false });
    expect((await check(environment)).result).toMatch(
      /\nWorks: sign-in, funnels, Hireflix, Uploaded recordings\. Not set up: Interview service \(INTERVIEW_SERVICE_URL\), VideoAsk \(VIDEOASK_CLIENT_ID, VIDEOASK_CLIENT_SECRET, VIDEOASK_REFRESH_TOKEN\), YouTube \(YOUTUBE_CLIENT_ID, YOUTUBE_CLIENT_SECRET, YOUTUBE_REFRESH_TOKEN\), transcription \(TRANSCRIPTION_URL\), AI summaries \(SUMMARY_URL\), mail \(SMTP_URL, MAIL_FROM\), notes in the applicant tracking system \(BULLHORN_USERNAME, BULLHORN_CLIENT_ID, BULLHORN_CLIENT_SECRET\), application links \(DESTINATION_URL\)\.$/,
    );
    const sandbox = await startSandbox();
    const { result } = await check({
      ...environment,
      INTERVIEW_SERVICE_URL: sandbox.url,
      YOUTUBE_CLIENT_ID: 'a client',
      VIDEOASK_CLIENT_ID: 'a client',
      TRANSCRIPTION_URL: sandbox.transcription.url,
      SUMMARY_URL: sandbox.summary.url,
      DESTINATION_URL: 'https://ats.example/{jobId}',
    });
    expect(result).toMatch(
      /\nWorks: sign-in, funnels, Interview service, Hireflix, Uploaded recordings, transcription, AI summaries, application links\. Not set up: VideoAsk \(VIDEOASK_CLIENT_SECRET, VIDEOASK_REFRESH_TOKEN\), YouTube \(YOUTUBE_CLIENT_SECRET, YOUTUBE_REFRESH_TOKEN\), mail \(SMTP_URL, MAIL_FROM\), notes in the applicant tracking system \(BULLHORN_USERNAME, BULLHORN_CLIENT_ID, BULLHORN_CLIENT_SECRET\)\.$/,
    );
  });

  test('check:config masks secrets in every variable and address', async () => {
    const secrets = Object.keys(VARIABLES).filter((name) => /(PASSWORD|SECRET|TOKEN|KEY|PREVIOUS)$/.test(name));
    expect(secrets.length).toBeGreaterThan(6);
    const environment = {
      ...Object.fromEntries(secrets.map((name) => [name, MARKER])),
      YOUTUBE_CLIENT_ID: 'a client',
      S3_ACCESS_KEY_ID: 'an id',
      DATA_DIR: await emptyFolder(),
      DATABASE_URL: `postgres://ann:${MARKER}@127.0.0.1:1/db?sslpassword=${MARKER}`,
      INTERVIEW_SERVICE_URL: `https://bob:${MARKER}@service.example/api`,
    };
    const { printed, problem } = await check(environment);
    expect(printed + problem).not.toContain(MARKER);
    expect(printed).toContain('postgres://••••••@127.0.0.1:1/db?sslpassword=••••••');
    expect(problem).toMatch(/^The database cannot be reached: .* Check DATABASE_URL\.$/m);
    const odd = await check({
      ...environment,
      DATABASE_URL: `postgres://ann:${MARKER}@/db?host=/run&password=${MARKER}`,
    });
    expect(odd.printed + odd.problem).not.toContain(MARKER);
  });

  test('check:config signs in to the mail server, and reports problems', async () => {
    const { environment } = await startApp({ jobs: false });
    const { smtpUrl: SMTP_URL } = await startSandbox();
    const MAIL_FROM = 'interviews@example.com';
    const good = await check({ ...environment, SMTP_URL, MAIL_FROM });
    expect(good.result).toContain('The mail server accepts our connection.');
    expect(good.printed).toMatch(/^SMTP_URL +smtp:\/\/••••••@127\.0\.0\.1:\d+$/m);
    const wrong = await check({ ...environment, SMTP_URL: SMTP_URL.replace('mail-password', 'wrong'), MAIL_FROM });
    expect(wrong.problem).toMatch(/^The mail server rejected our username and password \(.*\)\. Check SMTP_URL\.$/);
    expect((await check({ ...environment, SMTP_URL })).problem).toContain('SMTP_URL needs MAIL_FROM.');
    expect((await check({ ...environment, MAIL_FROM })).result).toContain('MAIL_FROM has no effect');
  });

  test('check:config detects that the two accounts use different databases', async () => {
    const { environment } = await startApp({ jobs: false });
    const other = await createEmptyDatabase();
    onTestFinished(other.drop);
    const { problem } = await check({ ...environment, DATABASE_URL: other.applicationUrl });
    expect(problem).toBe(
      'DATABASE_URL and DATABASE_OWNER_URL point to different databases. Set both to the same database.',
    );
  });

  test('check:config creates neither the folder nor a database', async () => {
    const folder = await emptyFolder();
    const { result } = await check({ DATA_DIR: join(folder, 'new') });
    expect(result).toContain('DATA_DIR will be created');
    expect(result).toContain('The database will be created at the first start.');
    expect(result).toContain('The first account, admin, will have the default password.');
    const chosen = await check({ DATA_DIR: join(folder, 'new'), ADMIN_PASSWORD: 'a longer password' });
    expect(chosen.result).not.toContain('default password');
    expect(await readdir(folder)).toEqual([]);
  });

  test('check:config leaves an empty database empty', async () => {
    const database = await createEmptyDatabase();
    onTestFinished(database.drop);
    const { result } = await check({ DATA_DIR: await emptyFolder(), DATABASE_URL: database.url });
    expect(result).toMatch(
      /PostgreSQL \d+\.\nThe account in DATABASE_URL also migrates .* Set DATABASE_OWNER_URL .*\nThe database is empty\. The first start sets it up\.\nThe first account, admin, .*\nWorks: /,
    );
    await using opened = await openDatabase(readConfig({ DATABASE_URL: database.url }), { needs: 'any' });
    const { rows } = await opened.connection.pool.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'");
    expect([opened.hadTables, rows]).toEqual([false, []]);
  });

  test('check:config reports a weak ADMIN_PASSWORD as a problem only where others can reach the server', async () => {
    const environment = { DATA_DIR: await emptyFolder(), ADMIN_PASSWORD: 'password' };
    const weak = 'ADMIN_PASSWORD is not accepted: This password is too common. Choose a different one.';
    expect((await check(environment)).result).toContain(weak);
    expect((await check({ ...environment, TRUST_PROXY: 'true' })).problem).toBe(weak);
  });

  test('check:config reports an UPLOAD_FOLDER that does not exist as a problem', async () => {
    const { environment } = await startApp({ jobs: false });
    const folder = await emptyFolder();
    expect((await check({ ...environment, UPLOAD_FOLDER: folder })).result).toContain(
      `UPLOAD_FOLDER can be read: ${folder}`,
    );
    expect((await check({ ...environment, UPLOAD_FOLDER: '/nope' })).problem).toBe(
      'UPLOAD_FOLDER does not exist: /nope. Create the folder and give this account access, or correct or unset UPLOAD_FOLDER.',
    );
  });

  test('check:config lists settings without effect, and succeeds', async () => {
    const environment = { DATA_DIR: await emptyFolder(), YOUTUBE_CLIENT_ID: 'i', YOUTUBE_CLIENT_SECRET: 's' };
    expect((await check(environment)).result).toMatch(
      /^All values are valid\.\nYouTube isn't connected: YOUTUBE_REFRESH_TOKEN is missing\. .*\nDATA_DIR/,
    );
  });

  test('check:config reports whether the virus scanner responds, and fails if it does not', async () => {
    const clamd = await startClamd();
    const environment = {
      DATA_DIR: await emptyFolder(),
      CLAMD_ADDRESS: clamd.address,
      MAX_VIDEO_BYTES: '2000000000',
    };
    expect((await check(environment)).result).toMatch(/\nThe virus scanner responds\.\nWorks: /);
    await clamd.close();
    const { problem, printed } = await check(environment);
    expect(problem).toMatch(
      /^The virus scanner isn't responding, so no file can be stored\. Check CLAMD_ADDRESS, and that clamd is running\.$/,
    );
    expect(printed).toMatch(new RegExp(`^CLAMD_ADDRESS +${clamd.address}$`, 'm'));
  });

  test('check:config fails if a configured service cannot be reached, and names its variable', async () => {
    const [port] = await freePorts(1);
    const own = { DATA_DIR: await emptyFolder() };
    expect((await check({ ...own, INTERVIEW_SERVICE_URL: `http://127.0.0.1:${port}` })).problem).toBe(
      "The service in INTERVIEW_SERVICE_URL can't be reached (ECONNREFUSED). Check INTERVIEW_SERVICE_URL.",
    );
    const SUMMARY_URL = (await startSandbox()).summary.url;
    expect((await check({ ...own, SUMMARY_URL })).result).toContain('The configured services respond: SUMMARY_URL.');
    const encrypted = SUMMARY_URL.replace('http:', 'https:');
    expect((await check({ ...own, SUMMARY_URL: encrypted })).problem).toBe(
      "The service in SUMMARY_URL can't be reached: it doesn't speak HTTPS at this port. Check SUMMARY_URL.",
    );
  });

  test('check:config reads the discovery document of the provider, and names the variable that is wrong', async () => {
    const { environment } = await startApp({ jobs: false });
    const sandbox = await startSandbox();
    const right = { ...environment, ...signOnVariables(sandbox) };
    expect((await check(right)).result).toContain('The configured services respond: OIDC_ISSUER.');
    const { issuer } = sandbox.identity;
    const wrong: [changes: Record<string, string>, problem: RegExp][] = [
      [
        { OIDC_ISSUER: `${sandbox.url}/ats` },
        /^No OpenID Connect discovery document was found below OIDC_ISSUER \(404\)\./,
      ],
      [
        { OIDC_ISSUER: `${issuer}/` },
        new RegExp(`^OIDC_ISSUER is ${issuer}/, but the provider's discovery document names ${issuer}\\. Set`),
      ],
      [{ OIDC_ISSUER: 'http://127.0.0.1:9' }, /^The service in OIDC_ISSUER can't be reached .*Check OIDC_ISSUER\.$/],
      [
        { OIDC_CLIENT_ID: 'other' },
        /^The provider rejects our client\. Check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET\.$/,
      ],
      [{ OIDC_CLIENT_SECRET: 'other' }, /^The provider rejects our client\./],
      [{ OIDC_ONLY: 'true', OIDC_BREAK_GLASS: 'ann' }, /^OIDC_BREAK_GLASS is ann, but no account has this name/],
      [{ OIDC_ISSUER: 'http://id.example.com' }, /OIDC_ISSUER must start with https:\/\//],
      [{ OIDC_CLIENT_SECRET: '' }, /OIDC_ISSUER needs OIDC_CLIENT_SECRET\./],
      [{ OIDC_ROLE_MAP: 'admins=owner' }, /OIDC_ROLE_MAP must be pairs of a group and a role/],
      [{ OIDC_ROLE_MAP: '' }, /OIDC_ROLE_CLAIM needs OIDC_ROLE_MAP\./],
      [{ OIDC_SCOPES: 'email' }, /OIDC_SCOPES must contain openid/],
      [{ OIDC_ISSUER: '', OIDC_ONLY: 'true' }, /OIDC_ONLY needs OIDC_ISSUER\./],
    ];
    for (const [changes, problem] of wrong) expect((await check({ ...right, ...changes })).problem).toMatch(problem);
    const only = await check({ ...right, OIDC_ONLY: 'true' });
    expect(only.result).toContain('OIDC_BREAK_GLASS is missing: while the provider is unavailable');
    const trusted = { OIDC_ISSUER: 'http://id.corp', ALLOW_PRIVATE_HOSTS: '10.0.0.0/8, id.corp' };
    expect((await check({ ...right, ...trusted })).problem).toMatch(/^The service in OIDC_ISSUER can't be reached/);
  });

  test('check:config fails for an address at which the server cannot listen', async () => {
    const own = { DATA_DIR: await emptyFolder() };
    expect((await check({ ...own, HOST: '203.0.113.9' })).problem).toMatch(
      /^HOST is 203\.0\.113\.9, which is not an address of this machine\. Set it to/,
    );
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const PORT = String((other.address() as AddressInfo).port);
    other.on('connection', (socket) => socket.end());
    expect((await check({ ...own, PORT })).problem).toMatch(/^Port \d+ of 127\.0\.0\.1 is in use by another program\./);
  });

  test('check:config succeeds while the server runs at its address', async () => {
    const { environment, app } = await startApp({ jobs: false });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const PORT = String((app.server.address() as AddressInfo).port);
    expect((await check({ ...environment, PORT })).problem).toBeNull();
  });

  test('check:config fails if NODE_EXTRA_CA_CERTS names no file with a certificate', async () => {
    const own = { DATA_DIR: await emptyFolder() };
    const empty = join(own.DATA_DIR, 'ca.pem');
    await writeFile(empty, 'no certificate');
    const advice = 'Set it to the path of a readable PEM file.';
    expect((await check({ ...own, NODE_EXTRA_CA_CERTS: '/nope/ca.pem' })).problem).toBe(
      `NODE_EXTRA_CA_CERTS is /nope/ca.pem, which cannot be read (ENOENT). ${advice}`,
    );
    expect((await check({ ...own, NODE_EXTRA_CA_CERTS: empty })).problem).toBe(
      `NODE_EXTRA_CA_CERTS is ${empty}, which contains no certificate. ${advice}`,
    );
    expect((await check({ ...own, NODE_EXTRA_CA_CERTS: CA_FILE })).problem).toBeNull();
  });

  test('check:config names misspelled variables, and succeeds', async () => {
    const environment = { DATA_DIR: await emptyFolder(), INTERVIEW_SERVICE_ULR: 'https://interviews.example' };
    expect((await check(environment)).result).toContain(
      'INTERVIEW_SERVICE_ULR is not a variable of this product and has no effect. Did you mean INTERVIEW_SERVICE_URL?',
    );
  });

  test('check:config reports the use of a single account with MIGRATE=off, and fails if it cannot migrate otherwise', async () => {
    const { environment, database } = await startApp({ jobs: false });
    const of = (DATABASE_URL: string, MIGRATE: string) =>
      check({ ...environment, DATABASE_URL, DATABASE_OWNER_URL: '', MIGRATE });
    expect((await of(database.applicationUrl, 'off')).result).toMatch(
      /\nThe product works as interviews_\w+, and commands run as it\. MIGRATE is off: \w+ migrates the database\.\n/,
    );
    expect((await of(database.applicationUrl, 'auto')).problem).toMatch(
      /^The account in DATABASE_URL cannot migrate the database, because \w+ owns it\. Set DATABASE_OWNER_URL /,
    );
    expect((await of(database.url, 'off')).result).toMatch(
      /\nThe product works as \w+, which owns the database\. MIGRATE is off, so an account without/,
    );
  });

  test('check:config fails if MIGRATE is off and the database is empty or older', async () => {
    const empty = await createEmptyDatabase();
    onTestFinished(empty.drop);
    const off = { DATA_DIR: await emptyFolder(), MIGRATE: 'off' };
    expect((await check({ ...off, DATABASE_URL: empty.url })).problem).toMatch(
      /^The database is empty, and MIGRATE is off\. Run npm run migrate first, with the account that owns/,
    );
    const { environment, db } = await startApp({ jobs: false });
    const last = db.selectFrom('migration').select((query) => query.fn.max('name').as('name'));
    await db.deleteFrom('migration').where('name', '=', last).execute();
    expect((await check({ ...environment, ...off })).problem).toMatch(
      /^The database is from an earlier release \(without \d{4}_\w+\.sql\), and MIGRATE is off\. Run npm run migrate/,
    );
  });

  test('the commands for accounts, candidates, keys and backups work with the account of the application', async () => {
    const { environment } = await startApp({ jobs: false });
    const own = { ...environment, DATABASE_OWNER_URL: '', MIGRATE: 'off', ENCRYPTION_KEY_PREVIOUS: MARKER };
    const file = join(await emptyFolder(), 'a-backup');
    for (const args of [
      ['user', 'list'],
      ['candidate', 'find', 'ann@example.com'],
      ['keys:rotate'],
      ['backup', file, '--plain'],
    ]) {
      const { stderr, code } = await runCommandLine(args, own);
      expect([args[0], stderr.includes('permission denied'), code]).toEqual([args[0], false, 0]);
    }
  });

  test('check:config names every invalid variable in addition to the values', async () => {
    const { printed, problem } = await check({ PORT: 'x', LOG_LEVEL: 'loud', ENCRYPTION_KEY: MARKER.slice(1) });
    expect(printed).toMatch(/^PORT +x$/m);
    expect(problem).toMatch(/PORT must be.*ENCRYPTION_KEY must be 64.*LOG_LEVEL/s);
    expect(printed + problem).not.toContain(MARKER.slice(1));
  });

  test('check:config names the funnels whose API keys cannot be decrypted', async () => {
    const { product, funnel } = await setUpProcessing();
    const { problem } = await check({ ...product.environment, ENCRYPTION_KEY: MARKER });
    expect(problem).toContain(`The API keys of "${funnel.name}" cannot be decrypted`);
  });

  test('check:config reports a database that accepts fewer connections than the pool may open', async ({ skip }) => {
    const { environment, db } = await startApp({ jobs: false });
    const { rows } = await sql<{ max_connections: string }>`SHOW max_connections`.execute(db);
    const most = Number(rows[0]?.max_connections);
    skip(most > 200, 'No pool is as large as what this server takes.');
    const { problem } = await check({ ...environment, DATABASE_POOL_SIZE: String(most) });
    expect(problem).toMatch(
      /^DATABASE_POOL_SIZE is (\d+), but the database accepts only \1 connections .*Raise its max_conn/,
    );
  });

  test('check:config reports a clock that differs from the clock of the database by more than 30 s', async () => {
    const { environment } = await startApp({ jobs: false });
    expect((await check(environment)).result).not.toContain('The clock');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 45_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect((await check(environment)).result).toMatch(
      /\nThe clock of this machine is 4\d s behind the clock of the database\. Synchronize both \(NTP\), or codes/,
    );
  });

  test('check:config reports an invalid key file, even before there is a database', async () => {
    const folder = await emptyFolder();
    await writeFile(join(folder, 'encryption-key'), 'half a key');
    const { problem } = await check({ DATA_DIR: folder });
    expect(problem).toContain(`${join(folder, 'encryption-key')} does not contain a key of 64 hexadecimal digits.`);
  });

  test('check:config reports a DATA_DIR that is not writable', async () => {
    const file = join(await emptyFolder(), 'a-file');
    await writeFile(file, '');
    for (const DATA_DIR of [file, join(file, 'data')])
      expect((await check({ DATA_DIR })).problem).toMatch(/^DATA_DIR is not writable: .*a-file is not a folder\./);
  });
});
