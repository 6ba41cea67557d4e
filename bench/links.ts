import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, startLoadClient } from './child.ts';
import { openDatabase } from './database.ts';
import { keepAliveClient } from './keep-alive-client.ts';
import { inRounds, sized, timed } from './measure.ts';
import { type BenchProduct, startProduct } from './product.ts';
import { type BenchRow, limitRow, percentile, rowOfRounds } from './row.ts';

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
  await using product = await startProduct();
  await using client = startLoadClient();
  await addInterviews(product);
  const links = await openLinks(product);
  const [link] = links;
  if (!link) throw new Error('No link was opened.');
  const pages = await comparePages(product, link);
  const ranges = await Array.fromAsync([64, 1024], (kilobytes) => compareRanges(client, product, { link, kilobytes }));
  return [pages, ...ranges, await watch(product, links)];
}

async function addInterviews({ dataDir, databaseUrl }: BenchProduct): Promise<void> {
  const folder = join(dataDir, 'files', 'videos');
  await mkdir(folder, { recursive: true });
  for (const name of ['iv-1.mp4', 'iv-2.mp4', 'iv-3.mp4'])
    await writeFile(join(folder, name), Buffer.alloc(FILE_BYTES));
  await using database = await openDatabase(databaseUrl);
  await database.query(`
    INSERT INTO funnel (name, external_id, api_key_encrypted) VALUES ('Nurses', 'nurses', '');
    INSERT INTO interview (id, funnel_id, title, candidate_name, recorded_at, created_at, duration_seconds, video_file)
    SELECT 'iv-' || n, (SELECT id FROM funnel), 'Nurse ' || n, 'Amara Okafor', now(), now(), 300, 'iv-' || n || '.mp4'
    FROM generate_series(1, ${INTERVIEWS}) AS n;
    INSERT INTO interview_text (interview_id, transcription_text, summary_text)
    SELECT id, repeat('I measured first, and asked Amara. ', 150), repeat('Calm and precise. ', 60) FROM interview`);
}

/** A link for each guest, each opened once. */
async function openLinks({ admin, url }: BenchProduct): Promise<Link[]> {
  const links: Link[] = [];
  for (let batch = 0; batch * RECIPIENTS < GUESTS; batch += 1) {
    const created = await admin.call<{ link: string }[]>('POST', '/api/shares', {
      recipients: Array.from({ length: RECIPIENTS }, (_, n) => ({ name: `Guest ${batch}-${n}` })),
      ...{ interviewIds: ['iv-1', 'iv-2', 'iv-3'], title: 'Nurses', mayComment: true, mayDecide: true },
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      shows: { name: 'first', contact: true, transcript: true, summary: true, questions: true },
    });
    for (const { link } of created) {
      const path = new URL(link).pathname;
      const { headers } = await fetch(`${url}${path}/open`, { method: 'POST' });
      links.push({ path, cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' });
    }
  }
  return links;
}

async function comparePages(product: BenchProduct, { path, cookie }: Link): Promise<BenchRow> {
  await using guest = keepAliveClient({ ...product, cookie });
  await using staff = keepAliveClient(product);
  const { ours, baseline } = await inRounds(ROUNDS, {
    ours: () => timed(() => guest.get(`${path}/items`)),
    baseline: () => timed(() => staff.get(`/api/interviews?limit=${INTERVIEWS}`)),
  });
  return rowOfRounds({ name: `page of ${INTERVIEWS} interviews, against staff`, ours, baseline, aim: AIM });
}

/** Seconds for a gigabyte, so that the aim is the same as for pages. */
async function compareRanges(
  client: Child,
  { port, cookie }: BenchProduct,
  { link, kilobytes }: { link: Link; kilobytes: number },
): Promise<BenchRow> {
  const load = { port, connections: 8, seconds: SECONDS, fileBytes: FILE_BYTES, rangeBytes: kilobytes * 1024 };
  const secondsOf = async (target: Link) => 1024 ** 3 / (await client.ask<number>({ ...load, ...target }));
  const { ours, baseline } = await inRounds(RANGE_ROUNDS, {
    ours: () => secondsOf({ path: `${link.path}/video/1`, cookie: link.cookie }),
    baseline: () => secondsOf({ path: '/api/files/video/iv-1.mp4', cookie }),
  });
  return rowOfRounds({ name: `ranges of ${kilobytes} KB, against staff`, ours, baseline, unit: 's/GB', aim: AIM });
}

/** Each guest requests a range per second through an own link and connection. */
async function watch({ url }: BenchProduct, links: readonly Link[]): Promise<BenchRow> {
  const times: number[] = [];
  const watchOne = async ({ path, cookie }: Link, nth: number) => {
    await using guest = keepAliveClient({ url, cookie });
    const video = `${path}/video/${1 + (nth % INTERVIEWS)}`;
    for (let second = 0; second < WATCHED_SECONDS; second += 1) {
      const due = performance.now() + 1_000;
      const start = (second * WATCHED_BYTES + nth) % (FILE_BYTES - WATCHED_BYTES);
      const headers = { range: `bytes=${start}-${start + WATCHED_BYTES - 1}` };
      times.push(await timed(() => guest.send({ path: video, headers, expected: 206 })));
      await sleep(Math.max(0, due - performance.now()));
    }
  };
  await Promise.all(links.map(watchOne));
  const name = `${links.length} guests, ${WATCHED_BYTES / 1024} KB per second each, 95th percentile`;
  return limitRow({ name, ours: percentile(times, 0.95), limit: P95_LIMIT_MS });
}
