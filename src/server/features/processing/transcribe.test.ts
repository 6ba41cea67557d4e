import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { activateFunnel, createFunnel } from '#contracts/funnels.ts';
import { saveTranscript } from '#contracts/interviews.ts';
import { getTranscript } from '#contracts/transcripts.ts';
import { HIREFLIX_MEDIA } from '#sandbox/hireflix/initial-hireflix.ts';
import { readTranscript } from '#sandbox/interviews/recordings.ts';
import { refusal } from '#support/call.ts';
import { stepJobsEnded } from '#support/jobs-ended.ts';
import { badgesShown, logsOf, setUpProcessing, stepsOf, unfinished } from '#support/processing.ts';
import { refresh } from '#support/refreshing.ts';
import { until } from '#support/until.ts';

/** The text of the recording that these tests transcribe. */
const SPOKEN = readTranscript('warehouse-safe-shift');
const words = (text: string) => text.toLowerCase().match(/[\p{L}\d']+/gu);

describe('transcribe', () => {
  test('transcribing stores the text with its times and updates the badges', async () => {
    const { product, recruiter, id, start, read, ended } = await setUpProcessing();
    expect((await start('transcribe')).message).toBe('Transcribing the recording.');
    expect((await read()).transcriptionStatus).toBe('in-progress');
    const interview = await ended('transcribe');
    expect(interview).toMatchObject({ transcriptionStatus: 'completed' });
    expect(words(interview.transcriptionText ?? '')).toEqual(words(SPOKEN.text));
    const { source, segments } = await recruiter.call(getTranscript, { params: { id } });
    expect(source).toBe('transcription');
    expect(segments.map(({ text }) => text)).toEqual(SPOKEN.segments.map(({ text }) => text));
    for (const [index, { start }] of SPOKEN.segments.entries())
      expect(segments[index]?.startSeconds).toBeCloseTo(start, 0);
    expect(await badgesShown(recruiter, id)).toEqual(['pending']);
    expect((await logsOf(recruiter, 'transcribe-interview')).map(({ status }) => status)).toEqual(['success', 'info']);
    expect(JSON.stringify(await logsOf(recruiter, 'transcribe-interview'))).not.toContain(SPOKEN.text.slice(0, 20));
    expect(await unfinished(product)).toEqual([]);
    expect(await product.db.selectFrom('transcript_part').selectAll().execute()).toEqual([]);
  });

  test('the transcript is available to signed-in users only, as captions and as files with the title as their name', async () => {
    const { product, recruiter, id, done } = await setUpProcessing();
    const get = (path: string, person = recruiter) => person.request({ method: 'GET', url: `/api/interviews/${path}` });
    for (const file of ['vtt', 'srt', 'txt'].map((format) => `${id}/transcript.${format}`))
      expect((await get(file)).json()).toMatchObject({ message: 'This interview has no transcript.' });
    await sql`UPDATE interview SET title = ${'Zoë: "Nurse" \u{1f389}/…'} WHERE id = ${id}`.execute(product.db);
    await done('transcribe');
    const captions = await get(`${id}/captions`);
    expect(captions.headers['content-disposition']).toBe('inline; filename="captions.vtt"');
    const files = {
      vtt: { type: 'text/vtt', start: /^WEBVTT\n\n00:00:0\d\.\d{3} --> 00:/ },
      srt: { type: 'application/x-subrip', start: /^1\n00:00:0\d,\d{3} --> 00:/ },
      txt: { type: 'text/plain', start: new RegExp(`^${words(SPOKEN.text)?.[0]}`, 'i') },
    };
    for (const [format, { type, start }] of Object.entries(files)) {
      const { headers, body } = await get(`${id}/transcript.${format}`);
      expect(headers).toMatchObject({
        'content-type': `${type}; charset=utf-8`,
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="Zoe Nurse __ _ - transcript.${format}"; filename*=UTF-8''Zo%C3%AB%20Nurse%20%F0%9F%8E%89%20%E2%80%A6%20-%20transcript.${format}`,
      });
      expect(body).toMatch(start);
      if (format === 'vtt') expect(body).toBe(captions.body);
      for (const [person, path, status] of [
        [product.anonymous(), id, 401],
        [recruiter, 'nobody', 404],
      ] as const)
        expect((await get(`${path}/transcript.${format}`, person)).statusCode).toBe(status);
    }
    expect((await logsOf(recruiter, 'export-transcript')).map(({ details }) => details)).toEqual([
      { format: 'txt', count: 1 },
      { format: 'srt', count: 1 },
      { format: 'vtt', count: 1 },
    ]);
    await sql`UPDATE interview_text SET segments = NULL WHERE interview_id = ${id}`.execute(product.db);
    expect((await get(`${id}/transcript.txt`)).statusCode).toBe(200);
    const withoutTimes = await get(`${id}/transcript.srt`);
    expect([withoutTimes.statusCode, withoutTimes.json().message]).toEqual([
      404,
      'This transcript has no times. Download it as text instead.',
    ]);
  });

  test('a recording without sound fails with that reason', async () => {
    const { recruiter, id, done } = await setUpProcessing({
      at: ({ url }) => ({ videoUrl: `${url}/media/videos/eng-microphone-off.mp4` }),
    });
    const { processingStatus } = await done('transcribe');
    expect(processingStatus.transcription).toMatchObject({ status: 'failed', error: 'This recording has no sound.' });
    expect(await badgesShown(recruiter, id)).toEqual(['new', 'error']);
  });

  test('without a service the response names the variables to set', async () => {
    const { start, read } = await setUpProcessing({ env: { TRANSCRIPTION_URL: '' } });
    for (const step of ['transcribe', 'summarize'] as const) {
      const { status, body } = await refusal(start(step));
      expect([status, body.code]).toEqual([409, 'not_configured']);
      expect(body.message).toContain('TRANSCRIPTION_URL');
    }
    expect((await read()).transcriptionStatus).toBeNull();
  });

  test('a transcript of the interview service is used without a transcription service', async () => {
    const { sandbox, recruiter, id, done } = await setUpProcessing({
      env: { TRANSCRIPTION_URL: '' },
      at: () => ({ transcript: { text: 'I plan ahead.', segments: [{ start: 1, end: 2, text: 'I plan ahead.' }] } }),
    });
    expect((await done('transcribe')).transcriptionText).toBe('I plan ahead.');
    expect(await recruiter.call(getTranscript, { params: { id } })).toMatchObject({
      transcriptionText: 'I plan ahead.',
      source: 'interview-service',
      segments: [{ startSeconds: 1, endSeconds: 2, text: 'I plan ahead.' }],
    });
    expect(sandbox.requests.list('/openai/v1/audio')).toEqual([]);
  });

  test('a transcript is cut to the longest text that can be saved, with a note on the card and in the log', async () => {
    const { sandbox, recruiter, id, done } = await setUpProcessing();
    const sentences = Array.from({ length: 20_000 }, (_, nth) => ({ start: 0, end: 1, text: ` Sentence ${nth}.` }));
    sandbox.control.fail({ kind: 'wrong-transcript', body: { text: '', segments: sentences } });
    const { transcriptionText, processingStatus } = await done('transcribe');
    const text = transcriptionText ?? '';
    expect(text.length).toBeLessThanOrEqual(200_000);
    expect(text.length).toBeGreaterThan(199_900);
    expect(text).toMatch(/^Sentence 0\. .* Sentence \d+\.?$/);
    const { segments } = await recruiter.call(getTranscript, { params: { id } });
    expect(words(segments.map((segment) => segment.text).join(' '))).toEqual(words(text));
    const note = 'The transcript was cut off at 200,000 characters.';
    expect(processingStatus.transcription).toMatchObject({ status: 'completed', note });
    expect((await logsOf(recruiter, 'transcribe-interview'))[0]).toMatchObject({
      status: 'success',
      details: { note },
    });
    await recruiter.call(saveTranscript, { params: { id }, body: { transcriptionText: text } });
  });

  test('a transcript that staff save during the step is kept', async () => {
    const { sandbox, product, recruiter, id, start, read } = await setUpProcessing();
    const slow = sandbox.control.fail({ kind: 'latency', ms: 500, on: 'transcription' });
    await start('transcribe');
    await until('the service is called', () => sandbox.requests.list('/openai/v1/audio').length > 0);
    await recruiter.call(saveTranscript, { params: { id }, body: { transcriptionText: 'By hand.' } });
    slow.stop();
    await stepJobsEnded(product, 'transcribe');
    expect(await read()).toMatchObject({ transcriptionStatus: 'completed', transcriptionText: 'By hand.' });
  });

  test('an edited transcript keeps its times', async () => {
    const { recruiter, id, done } = await setUpProcessing();
    const { transcriptionText } = await done('transcribe');
    const corrected = (transcriptionText ?? '').replace(/\bshift\b/, 'SHIFT!');
    await recruiter.call(saveTranscript, { params: { id }, body: { transcriptionText: corrected } });
    const { source, segments } = await recruiter.call(getTranscript, { params: { id } });
    expect(source).toBe('staff');
    expect(segments).toHaveLength(SPOKEN.segments.length);
    expect(segments.some(({ text }) => text.includes('SHIFT!'))).toBe(true);
  });

  test('half an emoji in an edited transcript with times is replaced', async () => {
    const { recruiter, id, done } = await setUpProcessing();
    const { transcriptionText } = await done('transcribe');
    const body = { transcriptionText: `${transcriptionText} Thanks \ud83d` };
    await recruiter.call(saveTranscript, { params: { id }, body });
    const saved = await recruiter.call(getTranscript, { params: { id } });
    expect([saved.transcriptionText, saved.segments.at(-1)?.text]).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/ Thanks \ufffd$/)),
    );
  });

  test.for([
    [401, 'TRANSCRIPTION_API_KEY'],
    [404, 'TRANSCRIPTION_URL'],
    [413, '15 MB'],
  ] as const)('a response with status %d fails the step with an actionable message', async ([status, words]) => {
    const { sandbox, done } = await setUpProcessing();
    sandbox.control.fail({ kind: 'status', status, on: 'transcription' });
    const { processingStatus } = await done('transcribe');
    expect(processingStatus.transcription?.status).toBe('failed');
    expect(processingStatus.transcription?.error).toContain(words);
  });

  test('a rate limit is retried automatically', async () => {
    const { sandbox, done } = await setUpProcessing();
    sandbox.control.fail({ kind: 'status', status: 429, times: 5, on: 'transcription' });
    expect((await done('transcribe')).transcriptionStatus).toBe('completed');
  });

  test('the waiting note is cleared during a retry', async () => {
    const { sandbox, start, read } = await setUpProcessing();
    const away = sandbox.control.fail({ kind: 'status', status: 503, retryAfterSeconds: 1, on: 'transcription' });
    await start('transcribe');
    const note = await until('it waits', async () => (await read()).processingStatus.transcription?.note);
    expect(note).toMatch(/^The transcription service returned an error \(503\)\. We'll retry automatically/);
    away.stop();
    sandbox.control.fail({ kind: 'hang', on: 'transcription' });
    const before = sandbox.requests.list('/openai/v1/audio').length;
    await until('it is retried', () => sandbox.requests.list('/openai/v1/audio').length > before);
    const { transcription } = (await read()).processingStatus;
    expect(transcription).toMatchObject({ status: 'in-progress' });
    expect(transcription?.note).toBeUndefined();
  });

  test('outages between the answers of an interview do not add up to a failure', async () => {
    const { sandbox, product, recruiter } = await setUpProcessing();
    const { hireflix, fail } = sandbox.control;
    for (const { id } of hireflix.interviews()) hireflix.remove(id);
    const questions = ['one', 'two', 'three', 'four', 'five'].map((id) => ({
      ...{ id, title: `Question ${id}?` },
      answer: { id: `answer_${id}`, url: `${HIREFLIX_MEDIA}/hfx_${id}/warehouse-safe-shift.mp4` },
    }));
    const candidate = { fullName: 'Ada', email: 'ada@example.com', phone: null };
    hireflix.add({ id: 'hfx', status: 'completed', createdAt: 1, completedAt: 1, candidate, questions });
    const { apiKey, positionId } = sandbox.hireflix;
    const form = { name: 'Designers', source: 'hireflix', apiKey, funnelId: positionId } as const;
    const { id } = await recruiter.call(createFunnel, { body: form });
    await recruiter.call(activateFunnel, { params: { id } });
    await refresh(product, recruiter);
    // Each try transcribes one answer and fails at the next.
    fail({ kind: 'status', status: 503, every: 2, retryAfterSeconds: 1, on: 'transcription' });
    expect(await stepsOf(recruiter, 'hfx').done('transcribe')).toMatchObject({ transcriptionStatus: 'completed' });
  });

  test('a lasting outage fails the step and suggests to try again later', async () => {
    const { sandbox, done } = await setUpProcessing();
    sandbox.control.fail({ kind: 'status', status: 503, on: 'transcription' });
    expect((await done('transcribe')).processingStatus.transcription?.error).toBe(
      'The transcription service returned an error (503). Try again later.',
    );
  });
});
