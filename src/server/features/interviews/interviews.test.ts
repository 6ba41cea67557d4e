import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listFunnels, updateFunnel } from '#contracts/funnels.ts';
import {
  archiveInterview,
  getDestinationDefaults,
  getInterview,
  Interview,
  listInterviews,
  saveSummary,
  saveTranscript,
  setDestination,
  unarchiveInterview,
  updateDuration,
} from '#contracts/interviews.ts';
import { listLogs } from '#contracts/logs.ts';
import { BADGES, badgesOf } from '#contracts/rules/badges.ts';
import { refusal } from '#support/call.ts';
import { type InterviewSeed, insertInterviews } from '#support/insert-interviews.ts';
import { startApp } from '#support/start-app.ts';
import { decodeFacts } from './listing/listing-filter.ts';

const STATUSES = [null, 'in-progress', 'completed', 'failed'] as const;

async function withInterviews(seeds: InterviewSeed[]) {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const funnels = [
    await product.build.funnel(recruiter, { name: 'Nurses', clientName: 'Mercy Hospital', funnelId: 'nurses' }),
    await product.build.funnel(recruiter, { name: 'Engineers', clientName: 'Acme', funnelId: 'engineers' }),
    await product.build.funnel(recruiter, { name: 'Cooks', funnelId: 'cooks' }),
  ];
  await insertInterviews(
    product.db,
    seeds.map((seed) => ({ ...seed, funnelId: funnels[seed.funnelId] ?? 0 })),
  );
  return { product, recruiter, funnels };
}

describe('the interview list', () => {
  test('the interview list shows the newest recording first and hides archived interviews', async () => {
    const { recruiter } = await withInterviews([
      { id: 'a', funnelId: 0, recordedAt: '2026-03-01T10:00:00Z' },
      { id: 'b', funnelId: 0, recordedAt: '2026-03-03T10:00:00Z' },
      { id: 'c', funnelId: 0, recordedAt: '2026-03-02T10:00:00Z', archived: true },
      { id: 'd', funnelId: 0, recordedAt: '2026-03-01T09:00:00Z' },
    ]);
    const { interviews, total } = await recruiter.call(listInterviews, { query: {} });
    expect([interviews.map(({ id }) => id), total]).toEqual([['b', 'a', 'd'], 3]);
  });

  test('ready=1 lists interviews with all three steps and without a destination', async () => {
    const done = {
      youtubeId: 'yt',
      youtubeStatus: 'completed',
      transcriptionStatus: 'completed',
      summaryStatus: 'completed',
    } as const;
    const { recruiter } = await withInterviews([
      { id: 'ready', funnelId: 0, ...done },
      { id: 'sent', funnelId: 0, ...done, destinationId: 'BUB-A-1' },
      { id: 'not-converted', funnelId: 0, ...done, youtubeId: null },
      { id: 'again', funnelId: 0, ...done, summaryStatus: 'in-progress' },
      { id: 'archived', funnelId: 0, ...done, archived: true },
      { id: 'other', funnelId: 1, ...done },
    ]);
    const list = async (query: object) => {
      const { interviews, total } = await recruiter.call(listInterviews, { query: { ready: '1', ...query } });
      return [interviews.map(({ id }) => id), total];
    };
    expect(await list({})).toEqual([['ready', 'other'], 2]);
    expect(await list({ clientName: ['Acme'], status: 'pending' })).toEqual([['other'], 1]);
    expect(await list({ status: 'sent' })).toEqual([[], 0]);
    expect(await list({ archived: '1' })).toEqual([['archived'], 1]);
  });

  test('the interview list includes both ends of a date range', async () => {
    const at = '2026-03-02T10:00:00.123Z';
    const { recruiter } = await withInterviews([{ id: 'a', funnelId: 0, recordedAt: at }]);
    const total = async (startDate: string, endDate: string) =>
      (await recruiter.call(listInterviews, { query: { startDate, endDate } })).total;
    expect(await total(at, at)).toBe(1);
    expect(await total('2026-03-02T10:00:00.124Z', '2026-03-05T00:00:00Z')).toBe(0);
    expect(await total('2026-03-01T00:00:00Z', '2026-03-02T10:00:00.122Z')).toBe(0);
    expect(await total('2026-03-05T00:00:00Z', '2026-03-01T00:00:00Z')).toBe(0);
  });

  test('the interview list finds words of the transcript and the summary, and the client of the funnel', async () => {
    const { recruiter, funnels } = await withInterviews([
      { id: 'a', funnelId: 0, transcript: 'I moved everything to Kubernetes.' },
      { id: 'b', funnelId: 1, summary: 'Knows kubernetes well.' },
      { id: 'c', funnelId: 2, title: 'Kubernetes administrator' },
    ]);
    const found = async (search: string) =>
      (await recruiter.call(listInterviews, { query: { search } })).interviews.map(({ id }) => id).sort();
    expect(await found('KUBERNETES')).toEqual(['a', 'b', 'c']);
    expect(await found('kubernetes mercy')).toEqual(['a']);
    expect(await found("kuber'; DROP TABLE interview; --")).toEqual([]);
    expect(await found('%')).toEqual([]);
    expect(await found('acme')).toEqual(['b']);

    const [engineers] = (await recruiter.call(listFunnels, {})).filter(({ id }) => id === funnels[1]);
    await recruiter.call(updateFunnel, {
      params: { id: engineers?.id },
      body: { name: 'Engineers', apiKey: 'key', funnelId: 'engineers', clientName: 'Umbrella' },
    });
    expect(await found('acme')).toEqual([]);
    expect(await found('umbrella')).toEqual(['b']);
  });

  test('the interview list returns every field of an interview, with its id under both names', async () => {
    const { recruiter } = await withInterviews([{ id: 'a', funnelId: 0, transcript: 'Hello there' }]);
    const [interview] = (await recruiter.request({ method: 'GET', url: '/api/interviews' })).json().interviews;
    expect(Object.keys(interview).sort()).toEqual(Object.keys(Interview.shape).sort());
    expect(interview).toMatchObject({ id: 'a', interviewId: 'a', clientName: 'Mercy Hospital', funnelId: 'nurses' });
  });

  test('the interview list omits transcripts and summaries on request', async () => {
    const { recruiter } = await withInterviews([{ id: 'a', funnelId: 0, transcript: 'Hello there' }]);
    const texts = async (query: object) =>
      (await recruiter.call(listInterviews, { query })).interviews.map((interview) => interview.transcriptionText);
    expect(await texts({})).toEqual(['Hello there']);
    expect(await texts({ texts: 'false' })).toEqual([null]);
  });

  test('the interview list returns the same as a plain filter over all interviews, for any query, order and change', {
    timeout: 60_000,
  }, async () => {
    const words = ['amara', 'okafor', 'nurse', 'react', 'ÉLODIE', 'a_b', '100%'];
    const seed = fc.record({
      funnelId: fc.nat(2),
      title: fc.array(fc.constantFrom(...words), { maxLength: 3 }).map((list) => list.join(' ')),
      candidateName: fc.option(fc.constantFrom(...words)),
      recordedAt: fc
        .integer({ min: 0, max: 9 * 24 })
        .map((hours) => new Date(Date.UTC(2026, 2, 1, hours)).toISOString()),
      archived: fc.boolean(),
      transcript: fc.option(fc.constantFrom('react and nurse', 'okafor'), { nil: undefined }),
      youtubeId: fc.constantFrom(null, 'yt'),
      youtubeStatus: fc.constantFrom(...STATUSES),
      transcriptionStatus: fc.constantFrom(...STATUSES),
      summaryStatus: fc.constantFrom(...STATUSES),
      destinationId: fc.constantFrom(null, 'BUB-A-1'),
    });
    const seeds = fc.sample(seed, { numRuns: 120, seed: 7 }).map((one, index) => ({ ...one, id: `iv_${index}` }));
    const { recruiter, funnels, product } = await withInterviews(seeds);
    const clients = ['Mercy Hospital', 'Acme', null];
    const rows = seeds.map((one) => ({ ...one }));

    const matches = (
      row: (typeof rows)[number],
      query: { [K in 'search' | 'startDate' | 'endDate']: string | undefined } & {
        status: string;
        funnelId: number[] | undefined;
        clientName: string[] | undefined;
      },
    ) => {
      const columns = [row.title, row.candidateName ?? '', row.id, clients[row.funnelId] ?? ''].map((text) =>
        text.toLowerCase(),
      );
      const inText = (word: string) => (row.transcript ?? '').split(' ').some((spoken) => spoken.startsWith(word));
      return (
        !row.archived &&
        (query.search ?? '')
          .toLowerCase()
          .split(/\s+/)
          .filter(Boolean)
          .every((word) => columns.some((text) => text.includes(word)) || inText(word)) &&
        (query.status === 'all' || badgesOf(row).includes(query.status as 'new')) &&
        (!query.funnelId || query.funnelId.includes(funnels[row.funnelId] ?? -1)) &&
        (!query.clientName || query.clientName.includes(clients[row.funnelId] ?? '')) &&
        (!query.startDate || row.recordedAt >= query.startDate) &&
        (!query.endDate || row.recordedAt <= query.endDate)
      );
    };
    const moment = fc.option(
      fc.integer({ min: 0, max: 9 * 24 }).map((hours) => new Date(Date.UTC(2026, 2, 1, hours)).toISOString()),
      { nil: undefined },
    );
    const query = fc.record({
      page: fc.integer({ min: 1, max: 6 }),
      limit: fc.integer({ min: 1, max: 30 }),
      sort: fc.constantFrom(undefined, 'newest', 'oldest'),
      status: fc.constantFrom('all', ...BADGES),
      search: fc.option(
        fc
          .array(fc.constantFrom(...words, 'o', 'iv_1', 'mercy', 're'), { maxLength: 2 })
          .map((list) => list.join('  ')),
        { nil: undefined },
      ),
      funnelId: fc.option(fc.subarray(funnels, { minLength: 1 }), { nil: undefined }),
      clientName: fc.option(fc.subarray(['Mercy Hospital', 'Acme'], { minLength: 1 }), { nil: undefined }),
      startDate: moment,
      endDate: moment,
      touched: fc.nat(119),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ touched, ...query }) => {
        // Every query follows a change, so that remembered counts and pages are outdated.
        const row = rows[touched];
        if (row) {
          row.archived = !row.archived;
          await product.db
            .updateTable('interview')
            .set({ archived_at: row.archived ? new Date() : null })
            .where('id', '=', row.id)
            .execute();
        }
        const expected = rows
          .filter((one) => matches(one, query))
          .sort((a, b) =>
            a.recordedAt === b.recordedAt ? (a.id < b.id ? 1 : -1) : a.recordedAt < b.recordedAt ? 1 : -1,
          );
        if (query.sort === 'oldest') expected.reverse();
        const { interviews, total } = await recruiter.call(listInterviews, { query });
        expect(total).toBe(expected.length);
        expect(interviews.map(({ id }) => id)).toEqual(
          expected.slice((query.page - 1) * query.limit, query.page * query.limit).map(({ id }) => id),
        );
      }),
      { numRuns: 250 },
    );
  });
});

test('the database and the code encode the facts of badges in the same way', async () => {
  const steps = STATUSES.flatMap((youtubeStatus) =>
    STATUSES.flatMap((transcriptionStatus) =>
      STATUSES.map((summaryStatus) => ({ youtubeStatus, transcriptionStatus, summaryStatus })),
    ),
  );
  const seeds = steps.flatMap((step) =>
    [null, 'yt'].flatMap((youtubeId) =>
      [null, 'BUB-A-1'].map((destinationId) => ({ ...step, youtubeId, destinationId })),
    ),
  );
  const { product } = await withInterviews(seeds.map((seed, index) => ({ ...seed, id: String(index), funnelId: 0 })));
  for (const { id, facts } of await product.db.selectFrom('interview').select(['id', 'facts']).execute()) {
    const seed = seeds[Number(id)];
    if (!seed) throw new Error(`Interview ${id} was not seeded`);
    expect(badgesOf(decodeFacts(facts))).toEqual(badgesOf(seed));
  }
});

describe('editing an interview', () => {
  test('archiving moves an interview to the list of archived interviews, and undo moves it back', async () => {
    const { recruiter } = await withInterviews([{ id: 'a/b ü', funnelId: 0 }]);
    const params = { id: 'a/b ü' };
    await recruiter.call(archiveInterview, { params });
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(0);
    expect((await recruiter.call(getInterview, { params })).archived).toBe(true);
    const archive = await recruiter.call(listInterviews, { query: { archived: '1' } });
    expect(archive).toMatchObject({ interviews: [{ id: 'a/b ü', archived: true }], total: 1 });
    await recruiter.call(unarchiveInterview, { params });
    expect((await recruiter.call(listInterviews, { query: {} })).total).toBe(1);
    expect((await recruiter.call(listInterviews, { query: { archived: '1' } })).total).toBe(0);
    const actions = (await recruiter.call(listLogs, { query: {} })).logs.map(({ action }) => action);
    expect(actions.slice(0, 2)).toEqual(['unarchive-interview', 'archive-interview']);
  });

  test('the given duration is stored and returned, even when one is known', async () => {
    const { recruiter } = await withInterviews([{ id: 'a', funnelId: 0 }]);
    const params = { id: 'a' };
    expect(await recruiter.call(updateDuration, { params, body: { duration: 62 } })).toEqual({ duration: 62 });
    expect(await recruiter.call(updateDuration, { params, body: { duration: 99 } })).toEqual({ duration: 99 });
    expect((await recruiter.call(getInterview, { params })).duration).toBe(99);
    const missing = recruiter.call(updateDuration, { params: { id: 'none' }, body: { duration: 99 } });
    expect((await refusal(missing)).status).toBe(404);
  });

  test('saving a transcript or a summary completes its step and stores the text unchanged', async () => {
    const { recruiter } = await withInterviews([{ id: 'a', funnelId: 0 }]);
    const params = { id: 'a' };
    const text = '  First line\n\n  second <b>line</b> 😀  ';
    await recruiter.call(saveTranscript, { params, body: { transcriptionText: text } });
    await recruiter.call(saveSummary, { params, body: { summaryText: text } });
    expect(await recruiter.call(getInterview, { params })).toMatchObject({
      transcriptionText: text,
      summaryText: text,
      transcriptionStatus: 'completed',
      summaryStatus: 'completed',
    });
    await recruiter.call(saveTranscript, { params, body: { transcriptionText: 'x '.repeat(100_000) } });
    await recruiter.call(saveTranscript, {
      params,
      body: {
        transcriptionText: Array.from({ length: 30_000 }, (_, n) => `wörd${n}`)
          .join(' ')
          .slice(0, 200_000),
      },
    });
  });

  test('Set Destination starts with the employer id that was set last for the client', async () => {
    const { product, recruiter, funnels } = await withInterviews([
      { id: 'a', funnelId: 0 },
      { id: 'b', funnelId: 0 },
      { id: 'c', funnelId: 2 },
    ]);
    const night = await product.build.funnel(recruiter, { clientName: 'Mercy Hospital', funnelId: 'night' });
    const offered = async (id = 0) => (await recruiter.call(getDestinationDefaults, { params: { id } })).employerId;
    const set = (id: string, destinationId: string) =>
      recruiter.call(setDestination, { params: { id }, body: { destinationId } });
    const [nurses, engineers, cooks] = funnels;
    expect(await offered(nurses)).toBeNull();
    await set('a', 'BUB-OLD-1');
    await set('b', 'BUB-MERCY-2026-07');
    await set('c', 'BUB-COOKS-1');
    expect([await offered(nurses), await offered(night)]).toEqual(['MERCY', 'MERCY']);
    expect([await offered(engineers), await offered(cooks)]).toEqual([null, 'COOKS']);
    await set('a', 'BUB-NEW-1');
    expect(await offered(night)).toBe('NEW');
  });

  test('a destination links to the job application', async () => {
    const { recruiter } = await withInterviews([{ id: 'a', funnelId: 0 }]);
    const params = { id: 'a' };
    await recruiter.call(setDestination, {
      params,
      body: { destinationId: 'BUB-ACME-2026-07', notes: ' Call on Monday ' },
    });
    const interview = await recruiter.call(getInterview, { params });
    expect(interview.destinationUrl).toBe('https://ats.example.com/employers/ACME/jobs/2026-07');
    expect(interview.processingStatus.destination).toMatchObject({ id: 'BUB-ACME-2026-07', notes: 'Call on Monday' });
    expect((await refusal(recruiter.call(setDestination, { params, body: { destinationId: 'BUB--1' } }))).status).toBe(
      400,
    );
  });
});
