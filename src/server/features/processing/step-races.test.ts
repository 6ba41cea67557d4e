import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { LiveMessage } from '#contracts/live.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { announce } from '#server/live/announce.ts';
import { stepJobsEnded } from '#support/jobs-ended.ts';
import { setUpProcessing, stepsOf } from '#support/processing.ts';
import { startApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';
import { claimStepRun, lockStepRun, type StepRun } from './step-runs.repo.ts';

/** Steps that another request or process interferes with. */

test('a video is removed when its interview is deleted during the download', async () => {
  const { sandbox, product, recruiter, funnelId, id, start } = await setUpProcessing();
  const videos = join(product.dataDir, 'files', 'videos');
  await product.db.updateTable('interview').set({ video_file: null }).where('id', '=', id).execute();
  for (const name of await readdir(videos)) await rm(join(videos, name));
  sandbox.control.fail({ kind: 'latency', ms: 500, on: 'media' });
  const before = sandbox.requests.list('/media/videos').length;
  await start('convert');
  await until('the video is requested', () => sandbox.requests.list('/media/videos').length > before);
  await recruiter.request({ method: 'DELETE', url: `/api/funnels/${funnelId}` });
  await stepJobsEnded(product, 'convert');
  await until('the video is gone', async () => (await readdir(videos)).length === 0);
});

test('two steps in two processes that need the same video download it once', async () => {
  const { sandbox, product, id, start, ended } = await setUpProcessing({ isAlone: false });
  const { database, dataDir } = product;
  await startApp({ database, dataDir, isAlone: false, env: productVariables(sandbox) });
  await product.db.updateTable('interview').set({ video_file: null }).where('id', '=', id).execute();
  await rm(join(dataDir, 'files', 'videos'), { recursive: true });
  const before = sandbox.requests.list('/media/videos').length;
  sandbox.control.fail({ kind: 'latency', ms: 300, on: 'media' });
  await Promise.all([start('convert'), start('transcribe')]);
  expect((await ended('transcribe')).transcriptionStatus).toBe('completed');
  expect((await ended('convert')).youtubeStatus).toBe('completed');
  expect(sandbox.requests.list('/media/videos').length - before).toBe(1);
});

test('a progress announcement that arrives after the end is not sent to browsers', async () => {
  const { product, recruiter, id, done } = await setUpProcessing();
  await done('convert');
  const { app, db } = product;
  await app.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { headers: { origin, cookie: recruiter.cookie } });
  const received: LiveMessage['type'][] = [];
  socket.on('message', (data) => received.push((JSON.parse(String(data)) as LiveMessage).type));
  await once(socket, 'open');
  await announce(db, 'step', `conversion-progress ${id}`);
  await announce(db, 'step', `conversion-completed ${id}`);
  await until('the end is sent', () => received.includes('conversion-completed'));
  expect(received).not.toContain('conversion-progress');
  socket.close();
});

test('a start succeeds while another process claims an abandoned step', async () => {
  const { sandbox, product, id, start } = await setUpProcessing();
  sandbox.control.fail({ kind: 'hang', on: 'google' });
  await start('convert');
  await product.stop();
  await sql`DELETE FROM pgboss.job WHERE name = 'processing.convert'`.execute(product.db);
  await sql`CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.worker := gen_random_uuid(); RETURN NEW; END $$`.execute(product.db);
  await sql`CREATE TRIGGER other BEFORE UPDATE ON step_run FOR EACH ROW EXECUTE FUNCTION other()`.execute(product.db);
  const next = await startApp({ database: product.database, dataDir: product.dataDir });
  expect((await stepsOf(await next.signedIn(), id).read()).youtubeStatus).toBe('in-progress');
});

test('a claim waits for the transaction of the previous owner, which then no longer owns the step', async () => {
  const { sandbox, product, id, start } = await setUpProcessing();
  sandbox.control.fail({ kind: 'hang', on: 'google' });
  await start('convert');
  const running = () =>
    product.db.selectFrom('step_run').select(['run_id', 'worker']).where('worker', 'is not', null).executeTakeFirst();
  const { run_id: runId, worker } = (await until('a worker claims it', running)) ?? { run_id: '', worker: '' };
  const mine: StepRun = { interviewId: id, step: 'convert', runId, worker: worker ?? '' };
  const during = await product.db.transaction().execute(async (tx) => {
    expect(await lockStepRun(tx, mine)).toBeDefined();
    let isClaimed = false;
    const claim = claimStepRun(product.db, { ...mine, worker: randomUUID() }, randomUUID()).then((run) => {
      isClaimed = true;
      return run;
    });
    await until('it was claimed, or waits', async () => {
      const { rows } = await sql`
        SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`.execute(tx);
      return isClaimed || rows.length > 0;
    });
    expect(isClaimed).toBe(false);
    return { claim };
  });
  expect(await during.claim).toBeDefined();
  expect(await product.db.transaction().execute((tx) => lockStepRun(tx, mine))).toBeUndefined();
});

test('the next process resumes the upload of a stopped process', async () => {
  const { sandbox, product, id, start } = await setUpProcessing();
  sandbox.control.fail({ kind: 'hang', on: 'google', skip: 2 });
  await start('convert');
  await until('the upload session is saved', () =>
    product.db.selectFrom('publication').select('session').where('session', 'is not', null).executeTakeFirst(),
  );
  await product.stop();
  sandbox.control.clearFaults();
  const env = productVariables(sandbox);
  const next = await startApp({ database: product.database, dataDir: product.dataDir, env });
  expect((await stepsOf(await next.signedIn(), id).ended('convert')).youtubeStatus).toBe('completed');
  expect(sandbox.control.uploads()).toHaveLength(1);
});
