import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { convertInterview } from '#contracts/processing.ts';
import { refusal } from '#support/call.ts';
import { badgesShown, logsOf, setUpProcessing, stepsOf, unfinished } from '#support/processing.ts';
import { startApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';

describe('convert', () => {
  test('converting publishes the video once, with title and privacy, and updates the badges', async () => {
    const { sandbox, product, recruiter, id, read, start, ended } = await setUpProcessing();
    expect(await badgesShown(recruiter, id)).toEqual(['new']);
    expect((await start('convert')).message).toBe('Uploading to YouTube.');
    expect((await read()).youtubeStatus).toBe('in-progress');
    expect(await badgesShown(recruiter, id)).toEqual(['new', 'processing']);
    const interview = await ended('convert');
    const [video] = sandbox.control.published();
    expect(sandbox.control.published()).toHaveLength(1);
    expect(interview).toMatchObject({
      youtubeId: video?.id,
      youtubeUrl: `${sandbox.google.url}/watch?v=${video?.id}`,
      youtubeStatus: 'completed',
      processingStatus: { youtube: { status: 'completed', progress: 100, privacy: 'unlisted' } },
    });
    expect(interview.processingStatus.youtube?.note).toBeUndefined();
    expect(await badgesShown(recruiter, id)).toEqual(['pending']);
    expect((await logsOf(recruiter, 'convert-interview')).map(({ status }) => status)).toEqual(['success', 'info']);
    expect(await unfinished(product)).toEqual([]);
  });

  describe('the texts of the published video', () => {
    const identified = () => ({
      title: 'Interview of Camila Marino',
      candidate: { name: 'Camila Marino', email: 'camila@example.com' },
      questions: [
        { position: 0, question: 'Why <b>us</b>?' },
        { position: 1, question: 'Why now?' },
      ],
      recordedAt: '2026-03-01T10:00:00.000Z',
    });

    test('the texts of the published video are the funnel, the interview id, the date and the questions, without the candidate', async () => {
      const { sandbox, funnel, id, done } = await setUpProcessing({ at: identified });
      await done('convert');
      const [{ title = '', description = '' } = {}] = sandbox.control.published();
      expect(title).toBe(`${funnel.name} – ${id}`);
      expect(description).toBe('2026-03-01\n\n1. Why us?\n2. Why now?');
    });

    test('YOUTUBE_TITLE and YOUTUBE_DESCRIPTION set the texts of the published video, and may add the candidate', async () => {
      const { sandbox, funnel, done } = await setUpProcessing({
        at: identified,
        env: {
          YOUTUBE_TITLE: '{clientName}: {candidateName}',
          YOUTUBE_DESCRIPTION: '{interviewTitle}\\n{candidateEmail}',
        },
      });
      await done('convert');
      expect(sandbox.control.published()).toMatchObject([
        { title: `${funnel.clientName}: Camila Marino`, description: 'Interview of Camila Marino\ncamila@example.com' },
      ]);
    });
  });

  test('a conversion is rejected while it runs, after it completed, and for an unknown interview', async () => {
    const { sandbox, recruiter, start, ended } = await setUpProcessing();
    const slow = sandbox.control.fail({ kind: 'latency', ms: 300, on: 'google' });
    await start('convert');
    const running = await refusal(start('convert'));
    expect([running.status, running.body.code]).toEqual([409, 'step_running']);
    slow.stop();
    await ended('convert');
    const done = await refusal(start('convert'));
    expect([done.status, done.body.code]).toEqual([409, 'step_done']);
    const gone = await refusal(recruiter.call(convertInterview, { params: { id: 'nobody' } }));
    expect(gone.status).toBe(404);
    expect(sandbox.control.published()).toHaveLength(1);
  });

  test('concurrent requests start one upload', async () => {
    const { sandbox, start, ended } = await setUpProcessing();
    const clicks = await Promise.allSettled([start('convert'), start('convert'), start('convert')]);
    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await ended('convert');
    expect(sandbox.control.uploads()).toHaveLength(1);
  });

  test('without YouTube the response names the variables to set', async () => {
    const { start } = await setUpProcessing({ env: { YOUTUBE_REFRESH_TOKEN: '' } });
    const { status, body } = await refusal(start('convert'));
    expect([status, body.code]).toEqual([409, 'not_configured']);
    for (const name of ['YOUTUBE_CLIENT_ID', 'YOUTUBE_CLIENT_SECRET', 'YOUTUBE_REFRESH_TOKEN'])
      expect(body.message).toContain(name);
  });

  test('a video that is not stored is downloaded first', async () => {
    const { sandbox, product, id, done } = await setUpProcessing();
    await product.db.updateTable('interview').set({ video_file: null }).where('id', '=', id).execute();
    const interview = await done('convert');
    expect(interview).toMatchObject({ youtubeStatus: 'completed', hasLocalCopy: true });
    expect(sandbox.control.published()).toHaveLength(1);
  });

  test('a file server outage and a concurrent download of the same file only delay the step', async () => {
    const { sandbox, product, id, start, ended } = await setUpProcessing();
    const { rows } = await sql<{ video_file: string }>`SELECT video_file FROM interview WHERE id = ${id}`.execute(
      product.db,
    );
    await rm(join(product.dataDir, 'files', 'videos', rows[0]?.video_file ?? ''));
    await product.db.updateTable('interview').set({ video_file: null }).where('id', '=', id).execute();
    sandbox.control.fail({ kind: 'status', status: 503, on: 'media', times: 5 });
    await Promise.all([start('convert'), start('transcribe')]);
    expect((await ended('convert')).youtubeStatus).toBe('completed');
    expect((await ended('transcribe')).transcriptionStatus).toBe('completed');
  });

  test('another recording is published even if the first one was uploaded', async () => {
    const { sandbox, product, id, read, start, ended } = await setUpProcessing();
    const slow = sandbox.control.fail({ kind: 'processing-takes', polls: 1_000 });
    await start('convert');
    await until('it is uploaded', () => sandbox.control.published().length === 1);
    await sql`UPDATE interview SET youtube_status = NULL WHERE id = ${id}`.execute(product.db);
    await sql`DELETE FROM step_run`.execute(product.db);
    slow.stop();
    const { videoFile } = await read();
    const other = `other-${videoFile}`;
    const videos = join(product.dataDir, 'files', 'videos');
    await copyFile(join(videos, videoFile ?? ''), join(videos, other));
    await product.db.updateTable('interview').set({ video_file: other }).where('id', '=', id).execute();
    await start('convert');
    const { youtubeId } = await ended('convert');
    expect(sandbox.control.published().map((video) => video.id)).toEqual([expect.anything(), youtubeId]);
  });

  test('an interview without a video fails with that reason, has the Error badge, and can be retried', async () => {
    const { product, recruiter, id, done } = await setUpProcessing();
    const { video_url } = await product.db
      .selectFrom('interview')
      .select('video_url')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await product.db.updateTable('interview').set({ video_file: null, video_url: null }).where('id', '=', id).execute();
    const failed = await done('convert');
    expect(failed).toMatchObject({
      youtubeStatus: 'failed',
      processingStatus: { youtube: { error: 'This interview has no video.' } },
    });
    expect(await badgesShown(recruiter, id)).toEqual(['new', 'error']);
    const [entry] = await logsOf(recruiter, 'convert-interview');
    expect(entry).toMatchObject({ type: 'error', status: 'error', details: { error: 'This interview has no video.' } });

    await product.db.updateTable('interview').set({ video_url }).where('id', '=', id).execute();
    const again = await done('convert');
    expect(again.youtubeStatus).toBe('completed');
    expect(again.processingStatus.youtube?.error).toBeUndefined();
  });

  test('a stricter privacy of YouTube is stored with a note', async () => {
    const { sandbox, done } = await setUpProcessing();
    sandbox.control.fail({ kind: 'forced-private' });
    const { processingStatus } = await done('convert');
    expect(processingStatus.youtube).toMatchObject({ status: 'completed', privacy: 'private' });
    expect(processingStatus.youtube?.note).toContain('private instead of unlisted');
  });

  test('an exhausted quota postpones the upload until the reset, with a note', async () => {
    const { sandbox, product, start, read } = await setUpProcessing();
    const quota = sandbox.control.fail({ kind: 'google-refuses', reason: 'quotaExceeded' });
    await start('convert');
    const parked = await until('it is postponed', async () => {
      const interview = await read();
      return interview.processingStatus.youtube?.note ? interview : null;
    });
    expect(parked.youtubeStatus).toBe('in-progress');
    expect(parked.processingStatus.youtube?.note).toMatch(
      /quota.*We'll retry automatically (within an hour|after .+ UTC)\.$/s,
    );
    const waiting = sql`UPDATE pgboss.job SET start_after = now() WHERE name = 'processing.convert'
      AND state = 'created' AND start_after > now() + interval '1 minute'`;
    quota.stop();
    expect((await waiting.execute(product.db)).numAffectedRows).toBe(1n);
    await until('it is published', async () => (await read()).youtubeId);
    expect((await read()).processingStatus.youtube?.note).toBeUndefined();
    expect(sandbox.control.published()).toHaveLength(1);
  });

  test.for([
    ['a revoked permission', { kind: 'token-refused', error: 'invalid_grant' }, 'npm run youtube:connect'],
    ['a title that YouTube rejects', { kind: 'google-refuses', reason: 'invalidTitle' }, 'title'],
    ['an account without a channel', { kind: 'no-channel' }, 'channel'],
    ['a video that YouTube cannot process', { kind: 'processing-fails', reason: 'codec' }, 'codec'],
    ['a video that YouTube rejects', { kind: 'processing-rejected', reason: 'copyright' }, 'copyright'],
  ] as const)('%s fails with an actionable message', async ([, fault, words]) => {
    const { sandbox, product, done } = await setUpProcessing();
    sandbox.control.fail(fault);
    const { youtubeStatus, youtubeId, processingStatus } = await done('convert');
    expect([youtubeStatus, youtubeId]).toEqual(['failed', null]);
    expect(processingStatus.youtube?.error?.toLowerCase()).toContain(words);
    expect(await unfinished(product)).toEqual([]);
  });

  test('a video that YouTube could not process is deleted there, and a retry uploads it again', async () => {
    const { sandbox, done } = await setUpProcessing();
    const broken = sandbox.control.fail({ kind: 'processing-fails' });
    expect((await done('convert')).youtubeStatus).toBe('failed');
    broken.stop();
    await until('it is deleted', async () => sandbox.control.published().length === 0);
    expect((await done('convert')).youtubeStatus).toBe('completed');
    expect(sandbox.control.published()).toHaveLength(1);
  });

  test('a service outage is retried automatically, and the step fails after the last try', async () => {
    const { sandbox, read, start, ended } = await setUpProcessing();
    const away = sandbox.control.fail({ kind: 'status', status: 503, retryAfterSeconds: 1, on: 'google' });
    await start('convert');
    await until('the card has a note', async () => (await read()).processingStatus.youtube?.note);
    const failed = await ended('convert', 30_000);
    expect(failed.youtubeStatus).toBe('failed');
    expect(failed.processingStatus.youtube?.note).toBeUndefined();
    away.stop();
  });

  test('deleting the funnel during a conversion leaves no run behind', async () => {
    const { sandbox, product, recruiter, funnelId, start } = await setUpProcessing();
    sandbox.control.fail({ kind: 'latency', ms: 400, on: 'google' });
    await start('convert');
    await recruiter.request({ method: 'DELETE', url: `/api/funnels/${funnelId}` });
    await until('the job ends', async () => {
      const open = sql`SELECT 1 FROM pgboss.job WHERE name = 'processing.convert' AND state IN ('created', 'active', 'retry')`;
      return (await open.execute(product.db)).rows.length === 0;
    });
    expect(await unfinished(product)).toEqual([]);
  });

  test('a step whose job no longer exists fails', async () => {
    const { sandbox, product, id, start } = await setUpProcessing();
    sandbox.control.fail({ kind: 'latency', ms: 2_000, on: 'google' });
    await start('convert');
    await product.stop();
    await sql`DELETE FROM pgboss.job WHERE name = 'processing.convert'`.execute(product.db);
    const next = await startApp({ database: product.database, dataDir: product.dataDir });
    const { processingStatus } = await stepsOf(await next.signedIn(), id).ended('convert');
    expect(processingStatus.youtube?.error).toBe('Interrupted. Try again.');
  });
});
