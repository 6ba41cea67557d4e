import { copyFile, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Pool } from 'undici';
import { Child } from './child.ts';
import { keepAliveClient, timed } from './keep-alive-client.ts';
import { type BenchProduct, startProduct } from './product.ts';
import { type BenchRow, limitRow, percentile, printRows, rowOfRounds } from './row.ts';
import { sized } from './scale.ts';
import type { Load, LoadResult } from './video/load-client.ts';

const INTERVIEWS = 3;
const ROUNDS = sized(60, 2);
const RANGE_ROUNDS = sized(7, 1);
const SECONDS = sized(0.6, 0.05);
const FILE_BYTES = 32 * 1024 * 1024;
const GUESTS = sized(500, 20);
const RECIPIENTS = 10;
/** One second of a recording of good quality. */
const WATCHED_BYTES = 256 * 1024;
const WATCHED_SECONDS = sized(10, 2);
/** Players buffer several seconds. */
const P95_LIMIT_MS = 1_000;
const AIM = { atMost: 1.2 };

interface Link {
  path: string;
  cookie: string;
}

/** A page and ranges through links of clients, next to the same for staff. */
export async function run(): Promise<BenchRow[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-links-'));
  const product = await startProduct({ dataDir });
  const client = new Child(new URL('./video/load-client.ts', import.meta.url));
  try {
    await addInterviews(product);
    const links = await openLinks(product);
    const [link] = links;
    if (!link) throw new Error('No link was opened.');
    return [
      await comparePages(product, link),
      ...(await compareRanges(client, product, link)),
      await watch(product, links),
    ];
  } finally {
    await Promise.all([client.stop(), product.stop()]);
    await rm(dataDir, { recursive: true });
  }
}

async function addInterviews({ dataDir, databaseUrl }: BenchProduct): Promise<void> {
  const folder = join(dataDir, 'files', 'videos');
  await mkdir(folder, { recursive: true });
  const file = await open(join(folder, 'iv-1.mp4'), 'w');
  await file.truncate(FILE_BYTES);
  await file.close();
  for (const n of [2, 3]) await copyFile(join(folder, 'iv-1.mp4'), join(folder, `iv-${n}.mp4`));
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query(`INSERT INTO funnel (name, external_id, api_key_encrypted) VALUES ('Nurses', 'nurses', '')`);
  await database.query(`
    INSERT INTO interview (id, funnel_id, title, candidate_name, recorded_at, created_at, duration_seconds, video_file)
    SELECT 'iv-' || n, (SELECT id FROM funnel), 'Nurse ' || n, 'Amara Okafor', now(), now(), 300, 'iv-' || n || '.mp4'
    FROM generate_series(1, ${INTERVIEWS}) AS n`);
  await database.query(`
    INSERT INTO interview_text (interview_id, transcription_text, summary_text)
    SELECT id, repeat('I measured first, and asked Amara. ', 150), repeat('Calm and precise. ', 60) FROM interview`);
  await database.end();
}

/** A link for each guest, each opened once. */
async function openLinks({ call, address }: BenchProduct): Promise<Link[]> {
  const links: Link[] = [];
  for (let batch = 0; batch * RECIPIENTS < GUESTS; batch += 1) {
    const created = await call<{ link: string }[]>('POST', '/api/shares', {
      recipients: Array.from({ length: RECIPIENTS }, (_, n) => ({ name: `Guest ${batch}-${n}` })),
      ...{ interviewIds: ['iv-1', 'iv-2', 'iv-3'], title: 'Nurses', mayComment: true, mayDecide: true },
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      shows: { name: 'first', contact: true, transcript: true, summary: true, questions: true },
    });
    for (const { link } of created) {
      const path = new URL(link).pathname;
      const opened = await fetch(`${address}${path}/open`, { method: 'POST' });
      if (opened.status !== 204) throw new Error(`${path}/open: ${opened.status}`);
      links.push({ path, cookie: opened.headers.getSetCookie()[0]?.split(';')[0] ?? '' });
    }
  }
  return links;
}

async function comparePages(product: BenchProduct, { path, cookie }: Link): Promise<BenchRow> {
  const [guest, staff] = [keepAliveClient({ ...product, cookie }), keepAliveClient(product)];
  const ours: number[] = [];
  const baseline: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await timed(() => guest.get(`${path}/items`)));
    baseline.push(await timed(() => staff.get(`/api/interviews?limit=${INTERVIEWS}`)));
  }
  await Promise.all([guest.close(), staff.close()]);
  return rowOfRounds({ name: `page of ${INTERVIEWS} interviews, against staff`, ours, baseline, unit: 'ms', aim: AIM });
}

/** Seconds for a gigabyte, so that the aim is the same as for pages. */
async function compareRanges(client: Child, { port, cookie }: BenchProduct, link: Link): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const kilobytes of [64, 1024]) {
    const secondsOf = async (path: string, value: string) => {
      const load: Load = {
        ...{ port, path, headers: [`cookie: ${value}`], connections: 8, seconds: SECONDS },
        ...{ fileBytes: FILE_BYTES, rangeBytes: kilobytes * 1024 },
      };
      return 1024 ** 3 / (await client.ask<LoadResult>(load)).bytesPerSecond;
    };
    const ours: number[] = [];
    const baseline: number[] = [];
    for (let round = 0; round < RANGE_ROUNDS; round += 1) {
      ours.push(await secondsOf(`${link.path}/video/1`, link.cookie));
      baseline.push(await secondsOf('/api/files/video/iv-1.mp4', cookie));
    }
    rows.push(
      rowOfRounds({ name: `ranges of ${kilobytes} KB, against staff`, ours, baseline, unit: 's/GB', aim: AIM }),
    );
  }
  return rows;
}

/** Each guest requests a range per second through an own link and connection. */
async function watch({ address }: BenchProduct, links: readonly Link[]): Promise<BenchRow> {
  const pool = new Pool(address, { connections: links.length, pipelining: 1 });
  const times: number[] = [];
  const watchOne = async ({ path, cookie }: Link, nth: number) => {
    for (let second = 0; second < WATCHED_SECONDS; second += 1) {
      const due = performance.now() + 1_000;
      const start = (second * WATCHED_BYTES + nth) % (FILE_BYTES - WATCHED_BYTES);
      const headers = { cookie, range: `bytes=${start}-${start + WATCHED_BYTES - 1}` };
      const n = 1 + (nth % INTERVIEWS);
      times.push(
        await timed(async () => {
          const { statusCode, body } = await pool.request({ method: 'GET', path: `${path}/video/${n}`, headers });
          if (statusCode !== 206) throw new Error(`${path}: ${statusCode}`);
          await body.arrayBuffer();
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    }
  };
  await Promise.all(links.map(watchOne));
  await pool.close();
  const name = `${links.length} guests, ${WATCHED_BYTES / 1024} KB per second each, 95th percentile`;
  return limitRow({ name, ours: percentile(times, 0.95), limit: P95_LIMIT_MS, unit: 'ms' });
}

if (import.meta.main) printRows(await run());
