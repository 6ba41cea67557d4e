import { setTimeout as pause } from 'node:timers/promises';
import { ListMultipartUploadsCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { Cluster } from '#support/cluster.ts';
import { connect } from '#support/live-socket.ts';
import { until } from '#support/until.ts';
import { type FilesFound, findProblems, UNDER_WAY } from '../../test/faults/support/invariants.ts';
import { FUNNEL, type RefreshesAndSteps } from './refreshes-and-steps.ts';

const IDLE_LIMIT_MS = 60_000;
/** nginx distributes the sockets over the processes. */
const SOCKETS = 8;
const ARRIVAL_MS = 2_000;

/** Rows of an idle product that show a lost or repeated job. */
const LOST_OR_REPEATED: Record<string, string> = {
  'a refresh ended with an error': "SELECT id, error FROM sync_run WHERE status = 'failed'",
  'a refresh has no job or more than one': `
    SELECT r.id, count(j.id) AS jobs FROM sync_run AS r
    LEFT JOIN pgboss.job AS j ON j.name = 'sync.run' AND j.data ->> 'runId' = r.id::text
    GROUP BY r.id HAVING count(j.id) <> 1`,
  'a step has more than one successful end': `
    SELECT metadata ->> 'interviewId' AS id, action, count(*) FROM log_entry
    WHERE action IN ('convert-interview', 'transcribe-interview', 'summarize-interview') AND status = 'success'
    GROUP BY 1, 2 HAVING count(*) > 1`,
  'a video was not stored': 'SELECT id FROM interview WHERE video_url IS NOT NULL AND video_file IS NULL',
};

/** Compares the database, the bucket and the outside services of an idle cluster. */
export async function findInconsistencies(cluster: Cluster): Promise<string[]> {
  const { ask, sandbox } = cluster;
  const isIdle = async () => Number((await ask<{ n: string }>(UNDER_WAY))[0]?.n) === 0;
  const idle = await until('no work is left', isIdle, IDLE_LIMIT_MS).then(
    () => [],
    () => [`work is left after ${IDLE_LIMIT_MS / 1_000} s`],
  );
  const found = await findProblems({ ask, sandbox, listFiles: (folder) => listObjects(cluster, folder) });
  for (const [what, sql] of Object.entries(LOST_OR_REPEATED)) {
    const rows = await ask<object>(sql);
    if (rows.length > 0) found.push(`${what}: ${JSON.stringify(rows.slice(0, 3))}`);
  }
  return [...idle, ...found, ...(await wrongInterviews(cluster)), ...(await wrongPublications(cluster))];
}

async function wrongInterviews({ ask, sandbox }: Cluster): Promise<string[]> {
  const stored = new Set((await ask<{ id: string }>('SELECT id FROM interview')).map(({ id }) => id));
  const there = new Set(sandbox.control.interviews(FUNNEL).map(({ id }) => id));
  const [missing, unknown] = [there.difference(stored), stored.difference(there)];
  return [
    ...(missing.size > 0 ? [`${missing.size} of ${there.size} interviews of the service are missing`] : []),
    ...(unknown.size > 0 ? [`${unknown.size} interviews are stored that the service does not have`] : []),
  ];
}

/** Every published video belongs to one interview, and is complete. */
async function wrongPublications({ ask, sandbox }: Cluster): Promise<string[]> {
  const [row] = await ask<{ n: string }>('SELECT count(*) AS n FROM interview WHERE youtube_id IS NOT NULL');
  const published = sandbox.control.published();
  const incomplete = published.filter(({ sizeBytes, ranges }) => (ranges.at(-1)?.keptUntil ?? 0) !== sizeBytes);
  return [
    ...(published.length === Number(row?.n) ? [] : [`${row?.n} interviews are published, ${published.length} videos`]),
    ...incomplete.map(({ id }) => `the video ${id} was published incompletely`),
  ];
}

/** Objects with their sizes. The videos are too small for uploads in parts, so none may be left. */
async function listObjects({ swift, bucket }: Cluster, folder: string): Promise<FilesFound> {
  const sizes = new Map<string, number>();
  const pages = paginateListObjectsV2({ client: swift.client }, { Bucket: bucket, Prefix: `${folder}/` });
  for await (const { Contents = [] } of pages)
    for (const { Key = '', Size = 0 } of Contents) sizes.set(Key.slice(folder.length + 1), Size);
  const { Uploads = [] } = await swift.client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
  return { sizes, partial: Uploads.map(({ Key = '' }) => Key) };
}

/** Opens sockets, runs a refresh, and returns whether its end has reached each of them once. */
export async function findSilentSockets(url: string, cookie: string, load: RefreshesAndSteps): Promise<string[]> {
  const connections = await Promise.all(Array.from({ length: SOCKETS }, () => connect(url, { cookie })));
  await load.refresh();
  await pause(ARRIVAL_MS);
  for (const { socket } of connections) socket.terminate();
  const counts = connections.map(({ messages }) => messages.filter(({ type }) => type === 'refresh-completed').length);
  return counts.every((count) => count === 1)
    ? []
    : [`the end of a refresh reached live connections this often, instead of once each: ${counts.join(', ')}`];
}
