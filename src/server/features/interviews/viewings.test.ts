import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { EventName } from '#contracts/events.ts';
import { getInterview, getVideo } from '#contracts/interviews.ts';
import { type LogAction, type LogEntry, listLogs, VIEW_ACTIONS } from '#contracts/logs.ts';
import { recordPlaying } from '#contracts/review.ts';
import { runAs, SYSTEM } from '#server/request-context.ts';
import type { Person } from '#support/call.ts';
import { setUpProcessing } from '#support/processing.ts';
import { until } from '#support/until.ts';
import { Viewings } from './viewings.ts';

const FROM_MANY_ADDRESSES = { env: { TRUST_PROXY: 'true', ADMIN_PASSWORD: 'correct horse battery' } };

const all = async (person: Person): Promise<LogEntry[]> =>
  (await person.call(listLogs, { query: { limit: 100, views: 'true' } })).logs;
const views = async (person: Person) => (await all(person)).filter(({ action }) => VIEW_ACTIONS.includes(action));
const viewsOf = async (person: Person, wanted: LogAction) =>
  (await views(person)).filter(({ action }) => action === wanted);

describe('personal data that a user views', () => {
  test('personal data that a user views is recorded with the user: recordings once per viewing, transcripts when opened or downloaded', async () => {
    const { recruiter, id, done } = await setUpProcessing(FROM_MANY_ADDRESSES);
    await done('transcribe');
    const get = (url: string, headers = {}) => recruiter.request({ method: 'GET', url, headers });
    const interview = await recruiter.call(getInterview, { params: { id }, query: { texts: 'false' } });
    expect(interview.transcriptionText).toBeNull();
    const recording = `/api/files/video/${interview.videoFile}`;
    await recruiter.request({ method: 'HEAD', url: recording });
    for (const range of ['bytes=0-99', 'bytes=100-199', 'bytes=200-'])
      expect((await get(recording, { range })).statusCode).toBe(206);
    const loadings = () => viewsOf(recruiter, 'load-recording');
    const [loaded] = await until('the viewing is recorded', async () => {
      const found = await loadings();
      return found.length > 0 && found;
    });
    expect(loaded).toMatchObject({
      type: 'system',
      action: 'load-recording',
      status: 'info',
      summary: `Opened the recording of "${interview.title}".`,
      metadata: { interviewId: id },
      actor: { kind: 'account', name: 'admin', address: '127.0.0.1' },
    });
    expect(await loadings()).toEqual([loaded]);
    const { logs } = await recruiter.call(listLogs, { query: { limit: 100 } });
    expect(logs).toEqual((await all(recruiter)).filter(({ action }) => !VIEW_ACTIONS.includes(action)));

    const ways = [
      `/api/interviews/${id}/transcript`,
      `/api/interviews/${id}/transcript.txt`,
      `/api/interviews/${id}/transcript.vtt`,
      `/api/interviews/${id}/captions`,
      `/api/interviews/${id}`,
      '/api/interviews',
    ];
    for (const [index, url] of ways.entries()) {
      const address = `203.0.113.${index}`;
      for (let times = 2; times > 0; times--)
        expect((await get(url, { 'x-forwarded-for': address })).statusCode, url).toBe(200);
      const of = async () => (await views(recruiter)).filter(({ actor }) => actor?.address === address);
      await until(`the reading of ${url} is recorded`, async () => (await of()).length > 0);
      expect(await of()).toMatchObject([{ action: 'read-transcript', metadata: { interviewId: id } }]);
    }
  });

  test('personal data that a user views includes a recording that is not stored, which the player loads from its address', async () => {
    const { product, recruiter, id } = await setUpProcessing();
    await sql`UPDATE interview SET video_file = NULL WHERE id = ${id}`.execute(product.db);
    for (let times = 2; times > 0; times--) await recruiter.call(getVideo, { params: { id } });
    await until('the viewing is recorded', async () => (await views(recruiter)).length > 0);
    expect(await views(recruiter)).toMatchObject([{ action: 'load-recording', metadata: { interviewId: id } }]);
  });

  test('personal data that a user views includes the playing of a recording, apart from its loading and once per viewing of an account at an address', async () => {
    const { product, recruiter, id } = await setUpProcessing(FROM_MANY_ADDRESSES);
    const interview = await recruiter.call(getInterview, { params: { id }, query: { texts: 'false' } });
    const load = (headers = {}) =>
      recruiter.request({ method: 'GET', url: `/api/files/video/${interview.videoFile}`, headers });
    const play = async (person: Person, headers = {}) => {
      const response = await person.request({ method: 'POST', url: `/api/interviews/${id}/played`, headers });
      expect([response.statusCode, response.json()]).toEqual([200, { message: 'Recorded as played' }]);
    };
    const counts = async () => ({
      loaded: (await viewsOf(recruiter, 'load-recording')).length,
      played: (await viewsOf(recruiter, 'play-recording')).length,
    });
    const expectCounts = (expected: object) => expect.poll(counts, { timeout: 5_000 }).toEqual(expected);
    await load();
    await expectCounts({ loaded: 1, played: 0 });
    await play(recruiter);
    await play(recruiter);
    await expectCounts({ loaded: 1, played: 1 });
    expect(await viewsOf(recruiter, 'play-recording')).toMatchObject([
      {
        type: 'system',
        status: 'info',
        summary: `Played the recording of "${interview.title}".`,
        metadata: { interviewId: id },
        actor: { kind: 'account', name: 'admin', address: '127.0.0.1' },
      },
    ]);
    const elsewhere = { 'x-forwarded-for': '203.0.113.9' };
    await play(recruiter, elsewhere);
    await expectCounts({ loaded: 1, played: 2 });
    await load(elsewhere);
    await expectCounts({ loaded: 2, played: 2 });
    const { password_hash } = await product.db.selectFrom('account').select('password_hash').executeTakeFirstOrThrow();
    await product.db.insertInto('account').values({ username: 'colleague', password_hash }).execute();
    await play(await product.signedIn('colleague'));
    await expectCounts({ loaded: 2, played: 3 });
    await expect(recruiter.call(recordPlaying, { params: { id: 'unknown' } })).rejects.toThrow(
      '404 This interview no longer exists.',
    );
    await product.db.updateTable('interview').set({ video_file: null, video_url: null }).where('id', '=', id).execute();
    await expect(recruiter.call(recordPlaying, { params: { id } })).rejects.toThrow(
      '404 This interview has no recording.',
    );
  });
});

test('a viewing ends after 30 minutes without a request', async () => {
  const recorded: EventName[] = [];
  let now = 1_000;
  const viewings = new Viewings({
    db: {} as never,
    log: {} as never,
    events: { record: async (_db, name) => void recorded.push(name) },
    clock: () => now,
  });
  const read = (address: string) =>
    runAs({ ...SYSTEM, kind: 'account', accountId: 1, address }, () =>
      viewings.recordReading([{ id: 'iv', title: 'One', funnel_id: 1 }]),
    );
  const minutes = async (pause: number, address = '127.0.0.1') => {
    now += pause * 60_000;
    read(address);
    await Promise.resolve();
    return recorded.length;
  };
  expect(await minutes(0)).toBe(1);
  for (const pause of [1, 29, 29]) expect(await minutes(pause)).toBe(1);
  expect(await minutes(31)).toBe(2);
  expect(await minutes(0, '203.0.113.5')).toBe(3);
});
