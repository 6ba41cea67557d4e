import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from '#sandbox/start-sandbox.ts';

/** The stored files of one kind: names with sizes, and names of unfinished ones. */
export interface FilesFound {
  sizes: ReadonlyMap<string, number>;
  partial: readonly string[];
}

interface InspectedProduct {
  ask<Row extends object>(sql: string): Promise<Row[]>;
  listFiles(folder: keyof typeof FOLDERS): Promise<FilesFound>;
  sandbox: Sandbox;
}

/**
 * Each query finds rows that must not exist in an idle product. The key is the message for them.
 */
const FORBIDDEN: Record<string, string> = {
  'a refresh is still marked as running': 'SELECT id FROM sync_run WHERE finished_at IS NULL',
  'a step is still marked as in progress': `
    SELECT id FROM interview WHERE 'in-progress' IN (youtube_status, transcription_status, summary_status)`,
  'a completed step still has a run': 'SELECT interview_id, step FROM step_run',
  'a job has failed for good': "SELECT name, output FROM pgboss.job WHERE state = 'failed'",
  'temporary rows of a refresh were left behind': `
    SELECT run_id FROM sync_change UNION SELECT run_id FROM sync_skip UNION SELECT run_id FROM sync_file`,
  'the list has extra or missing interviews': `
    (SELECT id, archived_at IS NOT NULL FROM interview EXCEPT SELECT interview_id, archived FROM listing)
    UNION ALL (SELECT interview_id, archived FROM listing EXCEPT SELECT id, archived_at IS NOT NULL FROM interview)`,
  'the counts of the list are wrong': `
    SELECT day, funnel_id, facts FROM listing_count FULL JOIN
      (SELECT day, funnel_id, facts, archived, count(*) AS n FROM listing GROUP BY 1, 2, 3, 4) AS counted
      USING (day, funnel_id, facts, archived)
    WHERE listing_count.n IS DISTINCT FROM counted.n`,
  'the counts of the funnels are wrong': `
    SELECT funnel_id, archived FROM listing_funnel FULL JOIN
      (SELECT funnel_id, archived, count(*) AS n FROM listing GROUP BY 1, 2) AS counted USING (funnel_id, archived)
    WHERE listing_funnel.n IS DISTINCT FROM counted.n`,
  'the counts of the log are wrong': `
    SELECT day, type, action FROM
      (SELECT day, type, action, sum(n) AS n FROM log_count GROUP BY 1, 2, 3 HAVING sum(n) <> 0) AS kept FULL JOIN
      (SELECT (created_at AT TIME ZONE 'UTC')::date AS day, type, action, count(*) AS n FROM log_entry GROUP BY 1, 2, 3)
        AS counted USING (day, type, action)
    WHERE kept.n IS DISTINCT FROM counted.n`,
  'the totals of the log are wrong': `
    SELECT type, action, has_funnel FROM
      (SELECT type, action, has_funnel, sum(n) AS n FROM log_total GROUP BY 1, 2, 3 HAVING sum(n) <> 0) AS kept FULL JOIN
      (SELECT type, action, funnel_id IS NOT NULL AS has_funnel, count(*) AS n FROM log_entry GROUP BY 1, 2, 3)
        AS counted USING (type, action, has_funnel)
    WHERE kept.n IS DISTINCT FROM counted.n`,
  'a refresh has no log entry or more than one': `
    SELECT f.id, runs.n AS runs, entries.n AS entries FROM funnel f
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM sync_run WHERE funnel_id = f.id) AS runs
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM log_entry
      WHERE action = 'sync-interviews' AND (metadata #>> '{funnelDetails,id}')::int = f.id) AS entries
    WHERE runs.n <> entries.n`,
  'the log has a wrong number of new interviews': `
    SELECT f.id, there.n AS there, logged.n AS logged FROM funnel f
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM interview WHERE funnel_id = f.id) AS there
    CROSS JOIN LATERAL (SELECT coalesce(sum((metadata ->> 'newCount')::int), 0) AS n FROM log_entry
      WHERE action = 'sync-interviews' AND (metadata #>> '{funnelDetails,id}')::int = f.id) AS logged
    CROSS JOIN LATERAL (SELECT coalesce(sum((details ->> 'interviews')::int), 0) AS n FROM log_entry
      WHERE action = 'erase-candidate') AS erased
    WHERE there.n + erased.n <> logged.n`,
  'a started step has no end in the log or more than one': `
    SELECT metadata ->> 'interviewId' AS id, action FROM log_entry
    WHERE action IN ('convert-interview', 'transcribe-interview', 'summarize-interview')
    GROUP BY 1, 2 HAVING count(*) FILTER (WHERE status = 'info') <> count(*) FILTER (WHERE status <> 'info')`,
  'a bulk run is still marked as running': "SELECT id FROM bulk_run WHERE status = 'running'",
  'a bulk run has changed an interview twice or not at all': `
    SELECT r.id, r.total, r.done_count, l.n, l.ids FROM bulk_run AS r
    LEFT JOIN (
      SELECT (metadata ->> 'bulkRunId')::int AS id, count(*) AS n, count(DISTINCT i ->> 'interviewId') AS ids
      FROM log_entry, jsonb_array_elements(details -> 'interviews') AS i
      WHERE action = 'bulk-run' AND status = 'info' GROUP BY 1
    ) AS l USING (id)
    WHERE r.action IN ('archive', 'unarchive')
      AND (r.done_count + r.skipped_count <> r.total OR coalesce(l.n, 0) <> r.done_count OR coalesce(l.ids, 0) <> r.done_count)`,
  'a completed step has no result': `
    SELECT i.id FROM interview i LEFT JOIN interview_text t ON t.interview_id = i.id
    WHERE (youtube_status = 'completed' AND youtube_id IS NULL)
       OR (transcription_status = 'completed' AND coalesce(transcription_text, '') = '')
       OR (summary_status = 'completed' AND coalesce(summary_text, '') = '')`,
};

/** Counts the remaining work as `n`. */
export const UNDER_WAY = `
  SELECT (SELECT count(*) FROM sync_run WHERE finished_at IS NULL)
       + (SELECT count(*) FROM step_run)
       + (SELECT count(*) FROM bulk_run WHERE status = 'running')
       + (SELECT count(*) FROM pgboss.job WHERE state IN ('created', 'retry', 'active') AND name NOT LIKE '\\_\\_%') AS n`;

/** Returns the problems of an idle product; an empty list when it is consistent. */
export async function findProblems(product: InspectedProduct): Promise<string[]> {
  const wrong: string[] = [];
  for (const [what, sql] of Object.entries(FORBIDDEN)) {
    const rows = await product.ask<object>(sql);
    if (rows.length > 0) wrong.push(`${what}: ${JSON.stringify(rows.slice(0, 3))}${rows.length > 3 ? ' …' : ''}`);
  }
  return [...wrong, ...(await wrongFiles(product)), ...publishedTwice(product.sandbox), ...(await orphans(product))];
}

interface NamedFiles {
  video_file: string | null;
  thumbnail_file: string | null;
  video_url: string | null;
}

const FOLDERS = { videos: 'video_file', thumbnails: 'thumbnail_file' } as const;

/** Finds files that are missing, unreferenced, partial or cut. */
async function wrongFiles({ ask, listFiles }: InspectedProduct): Promise<string[]> {
  const rows = await ask<NamedFiles>('SELECT video_file, thumbnail_file, video_url FROM interview');
  const wrong: string[] = [];
  for (const folder of ['videos', 'thumbnails'] as const) {
    const named = new Set(rows.flatMap((row) => row[FOLDERS[folder]] ?? []));
    const { sizes, partial } = await listFiles(folder);
    const there = new Set(sizes.keys());
    wrong.push(
      ...[...named.difference(there)].map((name) => `${folder}/${name} is referenced but missing`),
      ...[...there.difference(named)].map((name) => `${folder}/${name} is not referenced`),
      ...partial.map((name) => `partial/${folder}/${name} was left behind`),
      ...(folder === 'videos' ? cutFiles(rows, sizes) : []),
    );
  }
  return wrong;
}

/** The URLs of the sandbox's generated videos contain their length. */
function cutFiles(rows: readonly NamedFiles[], sizes: ReadonlyMap<string, number>): string[] {
  return rows.flatMap(({ video_file, video_url }) => {
    const bytes = Number(/\/media\/generated\/(\d+)\//.exec(video_url ?? '')?.[1]);
    if (!video_file || Number.isNaN(bytes)) return [];
    const size = sizes.get(video_file);
    return size === bytes ? [] : [`${video_file} has ${size} of ${bytes} bytes`];
  });
}

/** The files of a product that stores them in its data folder. */
export const localFiles =
  (dataDir: string): InspectedProduct['listFiles'] =>
  async (folder) => {
    const path = join(dataDir, 'files', folder);
    const sizes = new Map<string, number>();
    for (const name of await namesIn(path)) sizes.set(name, (await stat(join(path, name))).size);
    return { sizes, partial: await namesIn(join(dataDir, 'files', 'partial', folder)) };
  };

const namesIn = (folder: string) => readdir(folder).catch(() => [] as string[]);

/** The titles of published videos contain the id of the interview. */
function publishedTwice({ control }: Sandbox): string[] {
  const titles = control.published().map(({ title }) => title);
  return titles.flatMap((title, index) => (titles.indexOf(title) === index ? [] : [`"${title}" was published twice`]));
}

/** Finds published videos of interviews that do not exist. */
async function orphans({ ask, sandbox }: InspectedProduct): Promise<string[]> {
  const rows = await ask<{ id: string }>(`
    SELECT youtube_id AS id FROM interview WHERE youtube_id IS NOT NULL
    UNION SELECT video_id FROM publication WHERE video_id IS NOT NULL`);
  const known = new Set(rows.map(({ id }) => id));
  return sandbox.control
    .published()
    .flatMap(({ id, title }) =>
      known.has(id) ? [] : [`the video ${id} ("${title}") is published, and no interview has it`],
    );
}
