import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { getBulkRun, startBulkRun } from '#contracts/bulk.ts';
import { getInterview } from '#contracts/interviews.ts';
import { transcribeInterview } from '#contracts/processing.ts';
import { getSyncStatus, startSync } from '#contracts/sync.ts';
import { createUpload, listUploads } from '#contracts/uploads.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { sample } from '#support/make-recording.ts';
import { setUpProcessing } from '#support/processing.ts';
import { startApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';

const SERVICES = { INTERVIEW_SERVICE_URL: 'http://127.0.0.1:9', TRANSCRIPTION_URL: 'http://127.0.0.1:9' };
const ASK = "Ask an admin to check the server's log.";

/**
 * Starts a refresh, a step, a bulk run and the check of an upload in a process that runs no jobs.
 * `next` starts a worker and resolves with what users read when all of them have ended.
 */
async function startRuns() {
  const product = await startApp({ env: { ...SERVICES, ROLES: 'web' }, isAlone: false });
  const recruiter = await product.signedIn();
  const uploadFunnel = await product.build.funnel(recruiter, { source: 'upload', funnelId: 'uploads' });
  const funnelId = await product.build.activeFunnel(recruiter);
  await insertInterviews(product.db, [
    { id: 'one', funnelId },
    { id: 'two', funnelId },
  ]);
  await recruiter.call(startSync, { query: {} });
  await recruiter.call(transcribeInterview, { params: { id: 'one' } });
  const bulk = await recruiter.call(startBulkRun, { body: { action: 'transcribe', target: { ids: ['two'] } } });
  const content = await sample('eng-microphone-off.mp4');
  const { id: uploadId } = await recruiter.call(createUpload, {
    body: {
      funnelId: uploadFunnel,
      fileName: 'dana.mp4',
      size: content.length,
      modifiedAt: '2026-11-20T08:00:00Z',
      candidateName: 'Dana Moore',
    },
  });
  const { statusCode } = await product.app.inject({
    method: 'PATCH',
    url: `/api/uploads/${uploadId}/content`,
    headers: {
      cookie: recruiter.cookie ?? '',
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    payload: content,
  });
  expect(statusCode).toBe(204);

  const read = async () => {
    const { inProgress, error } = await recruiter.call(getSyncStatus, {});
    const { processingStatus } = await recruiter.call(getInterview, { params: { id: 'one' } });
    const run = await recruiter.call(getBulkRun, { params: { id: bulk.id } });
    const [upload] = await recruiter.call(listUploads, {});
    return {
      refresh: [inProgress ? 'running' : 'failed', error],
      step: [processingStatus.transcription?.status, processingStatus.transcription?.error],
      bulk: [run.status, run.error],
      upload: [upload?.state, upload?.problem],
    };
  };
  const next = async () => {
    await startApp({ env: SERVICES, database: product.database, dataDir: product.dataDir, isAlone: false });
    return until('all have failed', async () => {
      const runs = await read();
      return Object.values(runs).every(([state]) => state === 'failed') && runs;
    });
  };
  return { product, next };
}

test('refreshes, steps, bulk runs and uploads whose job no longer exists fail', async () => {
  const { product, next } = await startRuns();
  await sql`DELETE FROM pgboss.job`.execute(product.db);
  expect(await next()).toEqual({
    refresh: ['failed', 'The refresh was interrupted. What it synced was saved; start it again to continue.'],
    step: ['failed', 'Interrupted. Try again.'],
    bulk: ['failed', 'It was interrupted. Start it again for the rest.'],
    upload: ['failed', 'An unexpected error occurred. Upload the file again.'],
  });
});

test('refreshes, steps, bulk runs and uploads that have ended several processes fail', async () => {
  const { product, next } = await startRuns();
  // A process that is killed does not release its runs. The next claim counts it.
  await product.db.updateTable('sync_run').set({ worker: randomUUID(), lost_attempts: 1 }).execute();
  for (const table of ['step_run', 'bulk_run', 'upload'] as const)
    await product.db.updateTable(table).set({ process: randomUUID(), lost_attempts: 2 }).execute();
  expect(await next()).toEqual({
    refresh: [
      'failed',
      `The refresh was stopped because the server ended twice while it ran. What it synced was saved. ${ASK}`,
    ],
    step: ['failed', `It was stopped because the server ended three times while it ran. ${ASK}`],
    bulk: ['failed', `It was stopped because the server ended three times while it ran. ${ASK}`],
    upload: ['failed', `It was stopped because the server ended three times while it ran. ${ASK}`],
  });
});

test('a step whose process is stopped in order does not count as lost, and a killed one does', async () => {
  const { sandbox, product, start } = await setUpProcessing();
  const hanging = sandbox.control.fail({ kind: 'hang', on: 'transcription' });
  await start('transcribe');
  const findRun = () =>
    product.db.selectFrom('step_run').select(['process', 'lost_attempts']).executeTakeFirstOrThrow();
  const env = product.environment;
  let next = product;
  for (const [stops, lost] of [0, 0, 1].entries()) {
    await until('the service is called', () => hanging.hits() === stops + 1);
    expect(await findRun()).toEqual({ process: expect.any(String), lost_attempts: lost });
    await next.stop();
    expect(await findRun()).toEqual({ process: null, lost_attempts: lost });
    if (stops === 1) await product.db.updateTable('step_run').set({ process: randomUUID() }).execute();
    next = await startApp({ env, database: product.database, dataDir: product.dataDir });
  }
});
