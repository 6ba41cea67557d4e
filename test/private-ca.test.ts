import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkFunnel } from '#contracts/funnels.ts';
import { migrate } from '#server/db/migrate.ts';
import { emptyFolder } from './support/backups.ts';
import { runCommandLine, spawnCommand } from './support/commands.ts';
import { type ExternalPostgres, startExternalPostgres } from './support/external-postgres.ts';
import { isTinyproxyInstalled } from './support/find-tinyproxy.ts';
import { startApp } from './support/start-app.ts';
import { startTinyproxy } from './support/tinyproxy.ts';
import { CA_FILE, type CertificateName, certificateOf } from './support/tls/certificates.ts';

describe('a database with a certificate of a private CA', () => {
  let server: ExternalPostgres;
  beforeAll(async () => {
    server = await startExternalPostgres();
    await migrate(server.url);
  });
  afterAll(() => server.remove());

  const urlWith = (parameters: string) => `${server.url}?${parameters}`;
  /** Lists accounts, in a separate process. */
  const list = async (DATABASE_URL: string, env: Record<string, string> = {}) =>
    spawnCommand(['user', 'list'], { DATA_DIR: await emptyFolder(), DATABASE_URL, ...env });
  /** The error of a command, which is the same at the start of the server. */
  const problemOf = async (DATABASE_URL: string) => {
    const { stderr, code } = await runCommandLine(['user', 'list'], { DATA_DIR: await emptyFolder(), DATABASE_URL });
    expect(stderr).not.toContain('    at ');
    return { stderr, code };
  };

  test('TLS that the server does not offer is named', async () => {
    const { stderr, code } = await problemOf(urlWith('sslmode=verify-full'));
    expect([stderr, code]).toEqual([
      expect.stringMatching(/^The database server accepts no encrypted connections, but the sslmode in DATABASE_URL/),
      1,
    ]);
  });

  test.each<[CertificateName, string, RegExp]>([
    [
      'server',
      '',
      /^The certificate of the database server isn't trusted \(\w+\)\. Add sslrootcert=.* NODE_EXTRA_CA_CERTS/,
    ],
    ['expired', `&sslrootcert=${CA_FILE}`, /^The certificate of the database server has expired .*CERT_HAS_EXPIRED/],
    ['other', `&sslrootcert=${CA_FILE}`, /^The certificate of the database server is for another host .*DATABASE_URL/],
  ])('a rejected certificate (%s) is named with the solution, without a stack', async (name, more, expected) => {
    await server.useCertificate(name);
    const { stderr, code } = await problemOf(urlWith(`sslmode=verify-full${more}`));
    expect([stderr, code]).toEqual([expect.stringMatching(expected), 1]);
  });

  test.each(['verify-full', 'require'])(
    'sslmode=%s verifies, with the CA in either place and no warning',
    async (mode) => {
      await server.useCertificate('server');
      const [inUrl, inVariable, unknown] = await Promise.all([
        list(urlWith(`sslmode=${mode}&sslrootcert=${CA_FILE}`)),
        list(urlWith(`sslmode=${mode}`), { NODE_EXTRA_CA_CERTS: CA_FILE }),
        list(urlWith(`sslmode=${mode}`)),
      ]);
      for (const { stderr, code } of [inUrl, inVariable]) expect([stderr, code]).toEqual(['', 0]);
      expect(unknown.stderr).toMatch(/^The certificate .* isn't trusted/);
    },
  );
});

test('a file of a database address that cannot be read is named with its variable', async () => {
  const DATABASE_URL = 'postgres://ann@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=/nope/ca.crt';
  const { stderr, code } = await runCommandLine(['user', 'list'], { DATABASE_URL, DATA_DIR: await emptyFolder() });
  expect(stderr).toBe(
    'Configuration:\n  DATABASE_URL contains sslrootcert=/nope/ca.crt, which cannot be read (ENOENT). Set it to the path of a readable PEM file.\n',
  );
  expect(code).toBe(1);
});

/** A service that accepts any request, with one of our certificates or without TLS. */
async function startService(name: CertificateName | null) {
  const respond = (_: unknown, response: { end(text: string): void }) => response.end('{}');
  const server = name ? createTlsServer(certificateOf(name), respond as never) : createServer(respond as never);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each<[CertificateName | null, string]>([
  [
    'server',
    "its certificate isn't trusted. Ask an admin to check INTERVIEW_SERVICE_URL, or to add its CA to NODE_EXTRA_CA_CERTS.",
  ],
  ['expired', "its certificate has expired or isn't valid yet."],
  ['other', 'its certificate is for another host name. Ask an admin to check INTERVIEW_SERVICE_URL.'],
  [null, "it doesn't speak HTTPS at this port. Ask an admin to check INTERVIEW_SERVICE_URL."],
])('the test of a funnel names what is wrong with the certificate of the service (%s)', async (name, expected) => {
  if (name !== 'server') trustOurCa();
  const INTERVIEW_SERVICE_URL = await startService(name);
  const product = await startApp({ env: { INTERVIEW_SERVICE_URL }, jobs: false });
  const recruiter = await product.signedIn();
  const body = { source: 'rest', apiKey: 'key', funnelId: 'frontend' } as const;
  await expect(recruiter.call(checkFunnel, { body })).rejects.toThrow(
    `The interview service can't be reached: ${expected}`,
  );
});

/** For this process, until the test ends. */
function trustOurCa(): void {
  const former = getCACertificates('default');
  setDefaultCACertificates([...former, readFileSync(CA_FILE, 'utf8')]);
  onTestFinished(() => setDefaultCACertificates(former));
}

test.runIf(isTinyproxyInstalled())(
  'a service behind the proxy is reached with NODE_EXTRA_CA_CERTS, and its certificate is verified',
  async () => {
    const { url: OUTGOING_PROXY } = await startTinyproxy();
    const SUMMARY_URL = `${await startService('server')}/v1`;
    const env = { DATA_DIR: await emptyFolder(), OUTGOING_PROXY, OUTGOING_PROXY_EXCEPT: 'none.invalid', SUMMARY_URL };
    const trusting = await spawnCommand(['check:config'], { ...env, NODE_EXTRA_CA_CERTS: CA_FILE });
    expect([trusting.stderr, trusting.code]).toEqual(['', 0]);
    const { stderr, code } = await spawnCommand(['check:config'], env);
    expect([stderr, code]).toEqual([
      expect.stringContaining("The service in SUMMARY_URL can't be reached: its certificate isn't trusted."),
      1,
    ]);
  },
);
