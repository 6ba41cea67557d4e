import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { giveToOwnerOf } from '#server/owner-of-folder.ts';
import { type CertificateName, certificateOf } from './tls/certificates.ts';
import { until } from './until.ts';

/** A PostgreSQL server outside the product, which can be stopped and started. */
export interface ExternalPostgres {
  url: string;
  stop(): Promise<void>;
  /** Starts it again at the same URL. */
  start(): Promise<void>;
  /** Offers TLS with a certificate of our private CA, from the next connection on. */
  useCertificate(name: CertificateName): Promise<void>;
  /** Stops it and deletes its files. */
  remove(): Promise<void>;
}

export async function startExternalPostgres(): Promise<ExternalPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'interviews-external-'));
  const start = () => startEmbeddedPostgres({ dataDir, log: { info: () => {} }, poolSize: 100 });
  let running: EmbeddedPostgres | null = await start();
  const { port } = running;
  const url = await createOwner(running.ownerUrl);
  const stop = async () => {
    await running?.stop();
    running = null;
  };
  return {
    url,
    stop,
    async start() {
      running = await start();
      if (running.port !== port) throw new Error('Another program took the port of the stopped server.');
    },
    async useCertificate(name) {
      if (running) await offerTls(running.ownerUrl, name);
    },
    async remove() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Creates an account that owns the database, whose password stays the same. Returns its URL.
 */
async function createOwner(superuserUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query("CREATE ROLE external LOGIN PASSWORD 'external'; ALTER DATABASE interviews OWNER TO external");
  await client.end();
  return Object.assign(new URL(superuserUrl), { username: 'external', password: 'external' }).href;
}

async function offerTls(superuserUrl: string, name: CertificateName): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  const { rows } = await client.query<{ folder: string }>("SELECT current_setting('data_directory') AS folder");
  const folder = rows[0]?.folder ?? '';
  const settings: Record<string, string> = { ssl: 'on' };
  for (const [part, content] of Object.entries(certificateOf(name))) {
    const path = join(folder, `${name}.${part}`);
    await writeFile(path, content, { mode: 0o600 });
    await giveToOwnerOf(folder, path);
    settings[`ssl_${part}_file`] = path;
  }
  for (const [setting, value] of Object.entries(settings))
    await client.query(`ALTER SYSTEM SET ${setting} = '${value}'`);
  await client.query('SELECT pg_reload_conf()');
  await until('the server has the certificate', async () => {
    const { rows } = await client.query<{ file: string }>("SELECT current_setting('ssl_cert_file') AS file");
    return rows[0]?.file === settings.ssl_cert_file;
  });
  await client.end();
}
