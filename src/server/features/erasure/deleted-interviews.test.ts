import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { deleteFunnel } from '#contracts/funnels.ts';
import { announce } from '#server/live/announce.ts';
import { Sealer } from '#server/secrets/sealer.ts';
import { ADA, candidateCommand, REMOVAL_REFUSED, tablesWith } from '#support/candidate.ts';
import { stepJobsEnded } from '#support/jobs-ended.ts';
import { logsOf, setUpProcessing } from '#support/processing.ts';
import { filesIn } from '#support/refreshing.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';
import { DeletedInterviews } from './deleted-interviews.service.ts';
import { Tombstones } from './tombstones.service.ts';

const REFUSED = 'remove-published-video';
const setUp = () => setUpProcessing({ at: () => ({ candidate: ADA, title: `Warehouse night shift, ${ADA.name}` }) });
const erase = (product: TestApp) => candidateCommand(product, ['erase', ADA.email, '--yes']);
const REMOVE_UPLOAD = 'candidates.remove-upload';
const UPLOADS = '/google/upload/youtube/v3/videos';

/** The host has the video of an upload; the product knows only the upload. */
async function setUpUnknownVideo() {
  const all = await setUp();
  const { sandbox, product, id, done, read } = all;
  await done('convert');
  const { videoFile } = await read();
  const [upload] = sandbox.control.uploads();
  const url = `${sandbox.url}${UPLOADS}?uploadType=resumable&upload_id=${upload?.id}`;
  const session = { address: url, sizeBytes: upload?.sizeBytes, etag: '' };
  await sql`UPDATE interview SET youtube_id = NULL, youtube_status = NULL WHERE id = ${id}`.execute(product.db);
  await sql`INSERT INTO publication (interview_id, video_file, session)
    VALUES (${id}, ${videoFile}, ${JSON.stringify(session)}::jsonb)`.execute(product.db);
  return all;
}

describe('deleting a funnel', () => {
  test('deleting a funnel removes published videos of its interviews and reports how many', async () => {
    const { sandbox, product, recruiter, funnelId, done } = await setUp();
    await done('convert');
    expect(sandbox.control.published()).toHaveLength(1);
    const response = await recruiter.call(deleteFunnel, { params: { id: funnelId } });
    expect(response).toEqual({ message: 'Funnel deleted', publishedVideos: 1 });
    await until('the video is removed', () => sandbox.control.published().length === 0);
    const [entry] = await logsOf(recruiter, 'delete-funnel');
    expect(entry?.summary).toMatch(/ and its interviews were deleted\. 1 published video is being removed\.$/);
    expect(entry?.details).toMatchObject({ publishedVideos: 1 });
    // Its name and email are kept for a later erasure, but not in plain text.
    expect((await tablesWith(product, [ADA.email])).filter((row) => !row.startsWith('public.log_entry'))).toEqual([]);
  });

  test('deleting a funnel removes a video whose upload ends afterwards', async () => {
    const { sandbox, product, recruiter, funnelId, start } = await setUp();
    sandbox.control.fail({ kind: 'latency', ms: 300, on: 'google' });
    await start('convert');
    await until('the upload has started', () => sandbox.control.uploads().length > 0);
    await recruiter.call(deleteFunnel, { params: { id: funnelId } });
    await stepJobsEnded(product, 'convert');
    await until('nothing is published', () => sandbox.control.published().length === 0);
  });

  test.each(['a funnel', 'a candidate'])(
    'deleting a funnel removes a complete upload of a process that ended before it stored the video, when %s is deleted',
    async (what) => {
      const { sandbox, product, recruiter, funnelId } = await setUpUnknownVideo();
      if (what === 'a candidate') await erase(product);
      else await recruiter.call(deleteFunnel, { params: { id: funnelId } });
      await until('the video is removed', () => sandbox.control.published().length === 0);
    },
  );

  test('deleting a funnel checks an incomplete upload again an hour later, because its last bytes may be on their way', async () => {
    const { sandbox, product } = await setUpUnknownVideo();
    sandbox.control.fail({ kind: 'status', status: 308, on: 'google', path: UPLOADS, times: 1 });
    const { result } = await erase(product);
    expect(result).toContain(
      'An upload to YouTube had not ended. The running server deletes its video within an hour.',
    );
    const checks = (isDone: boolean) =>
      sql`SELECT FROM pgboss.job WHERE name = ${REMOVE_UPLOAD} AND (completed_on IS NOT NULL) = ${isDone}
        AND start_after - created_on < interval '2 hours'`.execute(product.db);
    await until('the first check is done', async () => (await checks(true)).rows.length === 1);
    expect(sandbox.control.published()).toHaveLength(1);
    expect((await checks(false)).rows).toHaveLength(1);
    await sql`UPDATE pgboss.job SET start_after = now() WHERE name = ${REMOVE_UPLOAD}`.execute(product.db);
    await announce(product.db, 'jobs', REMOVE_UPLOAD);
    await until('the video is removed', () => sandbox.control.published().length === 0);
  });

  test('deleting a funnel logs the address of a video that the host refuses to delete', async () => {
    const { sandbox, recruiter, funnelId, done, read } = await setUp();
    await done('convert');
    const { youtubeUrl } = await read();
    sandbox.control.fail(REMOVAL_REFUSED);
    await recruiter.call(deleteFunnel, { params: { id: funnelId } });
    const entry = await until('the refusal is logged', async () => (await logsOf(recruiter, REFUSED))[0]);
    expect(entry.summary).toContain('The published video of a deleted interview could not be deleted.');
    expect(entry.details).toMatchObject({ videoUrl: youtubeUrl });
  });

  test('deleting a funnel leaves enough for a later erasure to find log entries and a video that was not removed', async () => {
    const { sandbox, product, recruiter, funnelId, id, done, read } = await setUp();
    await done('convert');
    const { youtubeUrl } = await read();
    sandbox.control.fail(REMOVAL_REFUSED);
    await recruiter.call(deleteFunnel, { params: { id: funnelId } });
    await until('the refusal is logged', async () => (await logsOf(recruiter, REFUSED))[0]);
    expect((await tablesWith(product, [ADA.name])).length).toBeGreaterThan(0);

    const { shown, result } = await erase(product);
    expect(shown).toContain('1 interview deleted earlier with a funnel');
    expect(shown).toMatch(/[1-9] log entries with mentions/);
    expect(result).toContain(`Delete this video yourself: ${youtubeUrl}`);
    expect(await tablesWith(product, [ADA.name, ADA.email, id])).toEqual([]);
    expect((await tablesWith(product, [youtubeUrl ?? ''])).map((row) => row.split(':')[0])).toEqual([
      'public.video_removal',
    ]);
  });

  test('a deleted funnel is forgotten once the log entries about its interviews have expired', async () => {
    const { product, recruiter, funnelId } = await setUp();
    await recruiter.call(deleteFunnel, { params: { id: funnelId } });
    const kept = () => product.db.selectFrom('deleted_interview').select('id').execute();
    const expire = async () => {
      const tombstones = new Tombstones(new Sealer(() => []));
      await new DeletedInterviews({ db: product.db, tombstones, retentionDays: 30 }).deleteExpired();
    };
    expect((await kept()).length).toBeGreaterThan(0);
    await expire();
    expect((await kept()).length).toBeGreaterThan(0);
    await sql`UPDATE deleted_interview SET deleted_at = now() - interval '31 days'`.execute(product.db);
    await expire();
    expect(await kept()).toEqual([]);
  });

  test('deleting a funnel leaves the files of other interviews to be removed when a candidate is erased before that', async () => {
    const { product, funnelId } = await setUp();
    await product.stop();
    const same = { database: product.database, dataDir: product.dataDir, env: product.environment };
    const idle = await startApp({ ...same, jobs: false });
    await (await idle.signedIn()).call(deleteFunnel, { params: { id: funnelId } });
    await idle.stop();
    await erase(product);
    expect((await filesIn(product, 'videos')).length).toBeGreaterThan(1);
    await startApp(same);
    await until('all files are removed', async () => (await filesIn(product, 'videos')).length === 0);
  });
});
