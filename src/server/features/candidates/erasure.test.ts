import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { addComment } from '#contracts/comments.ts';
import { archiveInterview, listInterviews, setDestination } from '#contracts/interviews.ts';
import { saveReview } from '#contracts/reviews.ts';
import { createSavedView, listSavedViews } from '#contracts/saved-views.ts';
import { startSync } from '#contracts/sync.ts';
import { ADA, candidateCommand, REMOVAL_REFUSED, tablesWith } from '#support/candidate.ts';
import { stepJobsEnded } from '#support/jobs-ended.ts';
import { setUpProcessing } from '#support/processing.ts';
import { downloads, FUNNEL, filesIn, lastEntry, refresh } from '#support/refreshing.ts';
import { startApp, type TestApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';

const ada = { candidate: ADA, title: `Warehouse night shift, ${ADA.name}` };
const setUp = () => setUpProcessing({ at: () => ada });
const erase = (product: TestApp, email: string = ADA.email) => candidateCommand(product, ['erase', email, '--yes']);

async function openLiveBus(product: TestApp, cookie: string | undefined) {
  await product.app.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(product.app.server.address() as AddressInfo).port}`;
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { headers: { origin, cookie } });
  const received: string[] = [];
  socket.on('message', (data) => received.push(JSON.parse(String(data)).type));
  await once(socket, 'open');
  return { received, close: () => socket.close() };
}

/** Blocks transactions that insert interviews until `release` is called. */
async function blockInserts({ database, db }: TestApp) {
  await sql`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NULL; END $$`.execute(db);
  await sql`CREATE TRIGGER hold BEFORE INSERT ON interview FOR EACH STATEMENT EXECUTE FUNCTION hold()`.execute(db);
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock(42)');
  return {
    isWaiting: async (statement: string) => {
      const waiting = await holder.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND position($1 IN query) > 0",
        [statement],
      );
      return waiting.rows.length > 0;
    },
    release: () => holder.end(),
  };
}

describe('an erased candidate', () => {
  test('an erased candidate is deleted from every table, file, published video and log entry', async () => {
    const { sandbox, product, recruiter, funnel, id, done, read } = await setUp();
    for (const step of ['convert', 'transcribe', 'summarize'] as const) await done(step);
    // Log entries of refreshes and of staff, also under a former name.
    sandbox.control.change(FUNNEL, id, { candidate: { ...ADA, name: 'Ada Formerly' }, title: 'Another title' });
    await refresh(product, recruiter);
    await recruiter.call(setDestination, { params: { id }, body: { destinationId: 'BUB-ACME-1', notes: 'Call Ada' } });
    const review = { ratings: {}, recommendation: 3, note: `I know ${ADA.name}`, submit: true };
    await recruiter.call(saveReview, { params: { id }, body: review });
    await recruiter.call(addComment, { params: { id }, body: { body: `Call ${ADA.name}`, atSeconds: 3 } });
    await recruiter.call(archiveInterview, { params: { id } });
    for (const [name, query] of [
      ['Ada', new URLSearchParams({ search: ADA.name })],
      [`${ADA.name} again`, ''],
      ['Reversed', new URLSearchParams({ search: ADA.name.toUpperCase().split(' ').reverse().join('  ') })],
      ['Others', 'search=adam'],
    ])
      await recruiter.call(createSavedView, { body: { name: `${name}`, query: `${query}` } });
    await refresh(product, recruiter);
    const { videoFile, thumbnailFile } = await read();
    await sql`ANALYZE`.execute(product.db);
    const traces = [ADA.name, ADA.email, ADA.phone, 'Ada Formerly', id, 'Another title', ada.title];
    expect((await tablesWith(product, traces)).length).toBeGreaterThan(5);
    expect(sandbox.control.published()).toHaveLength(1);
    const live = await openLiveBus(product, recruiter.cookie);

    const { result, shown } = await erase(product, ' ADA@unmistakable.EXAMPLE ');
    expect(shown).toContain('1 interview, 2 files, 1 transcript, 1 summary');
    expect(result).toContain('Nothing is left to do.');
    expect(result).toContain('Left to you: ');

    expect(await tablesWith(product, traces)).toEqual([]);
    expect((await recruiter.call(listSavedViews, {})).map(({ name }) => name)).toEqual(['Others']);
    expect(await filesIn(product, 'videos')).not.toContain(videoFile);
    expect(await filesIn(product, 'thumbnails')).not.toContain(thumbnailFile);
    expect(sandbox.control.published()).toEqual([]);
    const others = sandbox.control.interviews(funnel.funnelId).length - 1;
    const { total, interviews } = await recruiter.call(listInterviews, { query: { limit: 100 } });
    expect([total, interviews.length]).toEqual([others, others]);
    await until('open dashboards are notified', () => live.received.includes('interviews-changed'));
    live.close();
  });

  test('an erased candidate leaves no dead row', async () => {
    const { product } = await setUp();
    await erase(product);
    await sql`CREATE EXTENSION pageinspect`.execute(product.db);
    const { rows } = await sql<{ id: string; data: Buffer }>`
      SELECT i.lp AS id, i.t_data AS data
      FROM generate_series(0, pg_relation_size('interview') / current_setting('block_size')::int - 1) AS page,
        heap_page_items(get_raw_page('interview', page::int)) AS i
      WHERE i.t_data IS NOT NULL`.execute(product.db);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ data }) => data.includes(ADA.email))).toEqual([]);
  });

  test('an erased candidate keeps the length and the counts of the log', async () => {
    const { sandbox, product, recruiter, id } = await setUp();
    const [, other] = sandbox.control.interviews(FUNNEL);
    if (!other) throw new Error('The sandbox has too few interviews');
    sandbox.control.change(FUNNEL, id, { candidate: { ...ADA, name: 'Ada Formerly' } });
    sandbox.control.change(FUNNEL, other.id, { title: 'Another candidate' });
    await refresh(product, recruiter);
    await erase(product);

    const { details, metadata } = await lastEntry(recruiter);
    expect(metadata).toMatchObject({ updatedCount: 2, detailedSummary: { totalFieldChanges: 2 } });
    expect(metadata.detailedSummary?.updatedInterviewIds).toHaveLength(2);
    const changes = Object.entries(details.detailedChanges);
    expect(changes).toHaveLength(2);
    expect(details.detailedChanges[other.id]).toMatchObject({
      fields: { title: { oldValue: other.title, newValue: 'Another candidate' } },
    });
    expect(changes.find(([changed]) => changed !== other.id)).toEqual([
      expect.stringMatching(/^erased-[0-9a-f]{12}$/),
      { title: 'Erased interview', fields: { candidateName: { oldValue: '[erased]', newValue: '[erased]' } } },
    ]);
  });

  test('an erased candidate is found in log entries by the interviews they list, and only in others by text', async () => {
    const { product, id } = await setUp();
    const entry = { type: 'system', action: 'start', status: 'info', summary: `About ${ADA.name}.` };
    const [listed, unknown, other] = await product.db
      .insertInto('log_entry')
      .values([{ ...entry, interview_ids: [id, 'iv-other'] }, entry, { ...entry, interview_ids: ['iv-other'] }])
      .returning('id')
      .execute();
    await erase(product);
    const rows = await product.db
      .selectFrom('log_entry')
      .select(['id', 'summary', 'interview_ids'])
      .where('summary', 'like', 'About %')
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { id: listed?.id, summary: 'About [erased].', interview_ids: ['iv-other'] },
      { id: unknown?.id, summary: 'About [erased].', interview_ids: null },
      { id: other?.id, summary: `About ${ADA.name}.`, interview_ids: ['iv-other'] },
    ]);
  });

  test('an erased candidate is skipped by the next refresh with a reason, and nothing is downloaded', async () => {
    const { sandbox, product, recruiter, funnel, id } = await setUp();
    const [unseen] = sandbox.control.grow(FUNNEL, 1);
    sandbox.control.change(FUNNEL, unseen?.id ?? '', { candidate: { ...ADA, email: ADA.email.toUpperCase() } });
    await erase(product);
    // With another email it is still the same interview.
    sandbox.control.change(FUNNEL, id, { candidate: { name: 'Nobody', email: null, phone: null } });
    sandbox.requests.clear();

    await refresh(product, recruiter);
    const { details, metadata } = await lastEntry(recruiter);
    const left = {
      interviewId: expect.stringMatching(/^erased-/),
      title: 'Erased interview',
      reason: "Erased at the candidate's request.",
    };
    expect(details.skippedInterviews).toEqual([left, left]);
    expect(metadata.detailedSummary?.skippedInterviewCount).toBe(2);
    const { total } = await recruiter.call(listInterviews, { query: {} });
    expect(total).toBe(sandbox.control.interviews(funnel.funnelId).length - 2);
    const fetched = downloads(sandbox).map(({ path }) => path);
    const theirs = sandbox.control.interviews(FUNNEL).find((one) => one.id === id);
    expect(fetched).not.toContain(new URL(theirs?.videoUrl ?? '', sandbox.url).pathname);
    expect(await tablesWith(product, [id, ADA.email, ADA.name])).toEqual([]);
  });

  test('may apply again: an interview recorded after the erasure is synced', async () => {
    const { sandbox, product, recruiter } = await setUp();
    await erase(product);
    const [later] = sandbox.control.grow(FUNNEL, 1, { newestAt: new Date(Date.now() + 60_000) });
    sandbox.control.change(FUNNEL, later?.id ?? '', { candidate: ADA });
    await refresh(product, recruiter);
    const { interviews } = await recruiter.call(listInterviews, { query: { search: ADA.email } });
    expect(interviews.map(({ id }) => id)).toEqual([later?.id]);
  });

  test('an erased candidate is skipped as well if nothing was stored at the erasure, and the command fails with a message', async () => {
    const { sandbox, product, recruiter } = await setUpProcessing();
    await expect(erase(product)).rejects.toThrow(`Nothing is stored about ${ADA.email}. Check the spelling`);
    // A command that was killed before its last steps can be repeated.
    expect(await erase(product)).toMatchObject({ result: expect.stringContaining('Nothing is left to do.') });
    const [any] = sandbox.control.grow(FUNNEL, 1);
    sandbox.control.change(FUNNEL, any?.id ?? '', { candidate: ADA });
    await refresh(product, recruiter);
    expect((await recruiter.call(listInterviews, { query: { search: ADA.email } })).total).toBe(0);
  });
});

describe('erasing during other work', () => {
  test('a refresh that is writing the candidate does not restore them', async () => {
    const { sandbox, product, recruiter } = await setUpProcessing();
    const [grown] = sandbox.control.grow(FUNNEL, 1);
    sandbox.control.change(FUNNEL, grown?.id ?? '', { candidate: ADA });
    const page = await blockInserts(product);
    await recruiter.call(startSync, { query: {} });
    await until('the page is being written', () => page.isWaiting('INSERT INTO interview'));
    let isErased = false;
    const erasing = erase(product).finally(() => {
      isErased = true;
    });
    await until('the erasure has started', async () => isErased || (await page.isWaiting('pg_advisory_xact_lock(')));
    await page.release();
    await erasing;
    await product.refreshEnded(recruiter);
    expect((await recruiter.call(listInterviews, { query: { search: ADA.email } })).total).toBe(0);
    expect(await tablesWith(product, [ADA.name, ADA.email])).toEqual([]);
  });

  test.each([
    ['uploads', 'uploads', { kind: 'latency', ms: 300, on: 'google' }],
    ['waits for the host', 'published', { kind: 'processing-takes', polls: 1_000_000 }],
  ] as const)('a step that %s ends, and its video is deleted', async (_, sign, fault) => {
    const { sandbox, product, id, start } = await setUp();
    sandbox.control.fail(fault);
    await start('convert');
    await until('the host has received something', () => sandbox.control[sign]().length > 0);
    await erase(product);
    await stepJobsEnded(product, 'convert');
    await until('nothing is published', () => sandbox.control.published().length === 0);
    expect(await tablesWith(product, [id, ADA.name])).toEqual([]);
    expect((await readdir(join(product.dataDir, 'files', 'videos'))).filter((name) => name.startsWith(id))).toEqual([]);
  });
});

describe('the published video of an erased candidate', () => {
  test('the published video of an erased candidate is deleted once the host is available again', async () => {
    const { sandbox, product, done } = await setUp();
    await done('convert');
    sandbox.control.fail({ kind: 'status', status: 503, on: 'google', path: '/google/youtube/*', times: 5 });
    await erase(product);
    expect(sandbox.control.published()).toEqual([]);
  });

  test('the published video of an erased candidate is reported when the permission does not suffice, and deleted once it does', async () => {
    const { sandbox, product, recruiter, done, read } = await setUp();
    await done('convert');
    const { youtubeUrl } = await read();
    sandbox.control.fail(REMOVAL_REFUSED);
    const { result } = await erase(product);
    expect(result).toContain(`Delete this video yourself: ${youtubeUrl}`);
    expect(result).toContain('Our YouTube connection lacks this permission.');
    expect(await tablesWith(product, [ADA.name])).toEqual([]);
    const logged = await recruiter.request({ method: 'GET', url: '/api/logs?type=error' });
    expect(logged.body).toContain('Delete it at the video host.');

    await product.stop();
    sandbox.control.clearFaults();
    await startApp({ database: product.database, dataDir: product.dataDir, env: product.environment });
    await until('the video is deleted', () => sandbox.control.published().length === 0);
  });

  test('the published video of an erased candidate is reported when YouTube is not connected', async () => {
    const { product, done, read } = await setUp();
    await done('convert');
    const { youtubeUrl } = await read();
    await product.stop();
    const env = { ...product.environment, YOUTUBE_REFRESH_TOKEN: '' };
    const { result } = await candidateCommand({ ...product, environment: env }, ['erase', ADA.email, '--yes']);
    expect(result).toContain('The server is not running. It removes files and published videos at its next start.');
    expect(result).toContain(`Delete this video yourself: ${youtubeUrl}`);
  });
});
