import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import { readTranscript } from '#sandbox/interviews/recordings.ts';
import { SCRIPTS } from '#sandbox/media/scripts.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import { mediabunnyRecordings } from '#server/adapters/recordings-mediabunny/mediabunny-recordings.ts';
import { openaiTranscriber, type TranscriberOptions } from '#server/adapters/transcriber-openai/openai-transcriber.ts';
import { joinParts } from '#server/features/processing/transcript/bound-transcript.ts';
import { transcriptText } from '#server/features/processing/transcript/transcript-text.ts';
import type { AudioPart } from '#server/ports/recordings.ts';
import type { Transcriber } from '#server/ports/transcriber.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { ofSamples, sample, writeLoopedSound } from '#support/make-recording.ts';

type Server = Pick<TranscriberOptions, 'url' | 'apiKey' | 'model' | 'timeoutMs'>;

const RETRY = { tries: 3, firstDelayMs: 1, maxDelayMs: 5 };
const ADAPTERS: Record<string, (server: Server) => Transcriber> = {
  openai: (server) => openaiTranscriber({ retry: RETRY, timeoutMs: 5_000, ...server }),
};

const never = new AbortController().signal;
const SAMPLE = 'eng-slow-page.mp4';
const TRUE = readTranscript('eng-slow-page');

let sandbox: Sandbox;
let whole: AudioPart;
beforeAll(async () => {
  sandbox = await startSandbox();
  [whole] = (await partsOf(SAMPLE)) as [AudioPart];
});
afterEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

/**
 * The sound of a recording as the server sends it. `video` is the name of a sample, its content, or
 * a function that writes it.
 */
async function partsOf(video: string | Buffer | ((path: string) => Promise<void>), maxPartSeconds = 1_200) {
  const folder = await mkdtemp(join(tmpdir(), 'transcriber-'));
  const files = await localFileStore(folder);
  const partial = await files.resume('video', 'a.mp4');
  await partial.append(Buffer.alloc(1));
  await partial.commit();
  const path = join(folder, 'videos', 'a.mp4');
  if (typeof video === 'function') await video(path);
  else await writeFile(path, typeof video === 'string' ? await sample(video) : video);
  const parts: AudioPart[] = [];
  for await (const part of mediabunnyRecordings({ files, maxPartSeconds }).audioParts('a.mp4', 0, never))
    parts.push(part);
  await rm(folder, { recursive: true });
  return parts;
}

describe.each(Object.entries(ADAPTERS))('transcriber: %s', (_, adapter) => {
  const transcriber = (more: Partial<Server> = {}) => adapter({ ...sandbox.transcription, ...more });
  const hear = async (part = whole, more: Partial<Server> = {}) =>
    (await transcriber(more).transcribe(part, never)).segments;
  const failure = async (part = whole, more: Partial<Server> = {}): Promise<UpstreamError> => {
    const error = await hear(part, more).then(
      () => null,
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(UpstreamError);
    return error as UpstreamError;
  };
  const calls = () => sandbox.requests.list('/openai/v1/audio').length;
  const fail = (fault: FaultInput) => sandbox.control.fail(fault);
  const failWith = (status: number, body?: unknown, more: Partial<FaultInput> = {}) =>
    fail({ kind: 'status', status, on: 'transcription', body, ...more } as FaultInput);

  describe('segments', () => {
    test.each(SCRIPTS.filter(({ silent }) => !silent).map(({ id, container }) => [id, `${id}.${container}`] as const))(
      'segments of %s are the true ones',
      async (id, file) => {
        const { text, segments } = readTranscript(id);
        const parts = await partsOf(file);
        const heard = await Promise.all(parts.map(async (part) => ({ ...part, segments: await hear(part) })));
        const joined = joinParts(heard);
        expect(transcriptText(joined)).toBe(text);
        expect(joined.map((segment) => segment.text)).toEqual(segments.map((segment) => segment.text));
        for (const [nth, { start, end }] of segments.entries()) {
          expect(joined[nth]?.startSeconds).toBeCloseTo(start, 0);
          expect(joined[nth]?.endSeconds).toBeCloseTo(end, 0);
        }
      },
    );

    test('segments of a recording in parts contain each word once', async () => {
      const parts = await partsOf(SAMPLE, 5);
      expect(parts.length).toBeGreaterThan(4);
      const heard = await Promise.all(parts.map(async (part) => ({ ...part, segments: await hear(part) })));
      const joined = joinParts(heard);
      expect(joined.map(({ text }) => text).join(' ')).toBe(TRUE.text);
      const last = joined.at(-1);
      expect(last?.endSeconds).toBeCloseTo(TRUE.segments.at(-1)?.end ?? 0, 0);
    });

    test('segments of an hour are joined completely', async () => {
      const recording = await sample(SAMPLE);
      const parts = await partsOf((path) => writeLoopedSound(path, recording, 3_600));
      expect(parts).toHaveLength(3);
      const heard: { startSeconds: number; segments: Awaited<ReturnType<typeof hear>> }[] = [];
      for (const part of parts) heard.push({ ...part, segments: await hear(part) });
      const joined = joinParts(heard);
      const words = joined.flatMap(({ text }) => text.split(' '));
      const once = TRUE.text.split(' ');
      expect(words.slice(0, once.length * 100)).toEqual(Array.from({ length: 100 }, () => once).flat());
      expect(joined.every(({ startSeconds }, nth) => startSeconds >= (joined[nth - 1]?.startSeconds ?? 0))).toBe(true);
    });

    test('get the times of the words inside them', async () => {
      fail({ kind: 'words-in-segments' });
      const heard = await hear();
      expect(heard.map(({ text }) => text)).toEqual(TRUE.segments.map(({ text }) => text));
      expect(heard[2]?.startSeconds).toBeCloseTo(TRUE.segments[2]?.start ?? 0, 0);
    });

    test('segments are made from words next to the text, with the punctuation of the text', async () => {
      fail({ kind: 'words-only' });
      const heard = await hear();
      expect(heard.map(({ text }) => text)).toEqual(TRUE.segments.map(({ text }) => text));
      expect(heard[3]?.endSeconds).toBeCloseTo(TRUE.segments[3]?.end ?? 0, 0);
    });
  });

  describe('a server without times', () => {
    test.each([
      { status: 400, asText: false },
      { status: 422, asText: true },
      { status: 500, asText: true },
    ])('(%j) is asked for the text only, and its sentences get times by their length', async (how) => {
      fail({ kind: 'no-verbose-json', ...how });
      const heard = await hear();
      expect(heard.map(({ text }) => text)).toEqual(TRUE.segments.map(({ text }) => text));
      expect(heard[0]?.startSeconds).toBe(0);
      expect(heard.at(-1)?.endSeconds).toBeCloseTo(whole.durationSeconds, 5);
      expect(calls()).toBe(2);
    });

    test('a server without times is asked for times only once', async () => {
      fail({ kind: 'no-verbose-json' });
      const once = transcriber();
      await once.transcribe(whole, never);
      await once.transcribe(whole, never);
      expect(calls()).toBe(3);
    });
  });

  describe('responses of different servers', () => {
    const transcribed = async (body: object) => {
      fail({ kind: 'wrong-transcript', body });
      return hear();
    };

    test.each<[string, object]>([
      ['an empty text', { text: '' }],
      ['no segments', { text: ' ', segments: [], words: [] }],
      ['segments without words', { text: '', segments: [{ start: 0, end: 2, text: ' ' }] }],
    ])('silence (%s) is an empty list', async (_, body) => {
      expect(await transcribed(body)).toEqual([]);
    });

    test('times are sorted and limited to the part', async () => {
      const segments = [
        { start: -3, end: 2, text: 'One.' },
        { start: 9, end: 8, text: 'Three.' },
        { start: 4, end: 5, text: ' Two. ' },
        { start: 27, end: 9_999, text: 'Four.' },
      ];
      const heard = await transcribed({ text: '', segments });
      expect(heard).toEqual([
        { startSeconds: 0, endSeconds: 2, text: 'One.' },
        { startSeconds: 4, endSeconds: 5, text: 'Two.' },
        { startSeconds: 9, endSeconds: 9, text: 'Three.' },
        { startSeconds: 27, endSeconds: whole.durationSeconds, text: 'Four.' },
      ]);
    });

    const word = (word: string, start: number, end = start + 0.4) => ({ word, start, end });

    test('words with their own spaces become sentences that end at a pause', async () => {
      const words = [word(' We', 1), word(' tested', 1.5), word(' it', 2), word(' Then', 4), word(' again', 4.5)];
      expect(await transcribed({ text: 'We tested it Then again', words })).toEqual([
        { startSeconds: 1, endSeconds: 2.4, text: 'We tested it' },
        { startSeconds: 4, endSeconds: 4.9, text: 'Then again' },
      ]);
    });

    test('speech without a pause is cut to the length of a caption', async () => {
      const words = Array.from({ length: 60 }, (_, nth) => word(`w${nth}`, nth * 0.45));
      const heard = await transcribed({ words });
      expect(heard.length).toBe(3);
      expect(Math.max(...heard.map(({ startSeconds, endSeconds }) => endSeconds - startSeconds))).toBeLessThan(12.1);
    });

    test('words of a language without spaces are joined without spaces', async () => {
      const words = [word('我', 1), word('很', 1.4), word('好。', 1.8), word('你', 2.4), word('呢？', 2.8)];
      const heard = await transcribed({ text: '我很好。你呢？', words });
      expect(heard.map(({ text }) => text)).toEqual(['我很好。', '你呢？']);
    });

    test('texts lose what PostgreSQL rejects', async () => {
      const heard = await transcribed({ segments: [{ start: 0, end: 1, text: 'a\0b\ud800' }] });
      expect(heard[0]?.text).toBe('ab\ufffd');
    });

    test.each<[string, FaultInput]>([
      ['half of the JSON', { kind: 'broken-transcript' }],
      ['another shape', { kind: 'wrong-transcript', body: { hello: 1 } }],
      ['a list', { kind: 'wrong-transcript', body: [] }],
    ])('%s is a bad response and not retried', async (_, fault) => {
      fail(fault);
      const { kind, message } = await failure();
      expect([kind, calls()]).toEqual(['bad_response', 1]);
      expect(message).toContain('TRANSCRIPTION_URL');
    });

    test('an error inside a successful response is a refusal', async () => {
      fail({ kind: 'wrong-transcript', body: { error: { message: 'worker died', code: 503 } } });
      expect((await failure()).kind).toBe('unavailable');
    });
  });

  describe('refusals', () => {
    test.each<[number, unknown, string, string]>([
      [400, { error: 'sound is odd' }, 'rejected', 'sound is odd'],
      [400, { error: { message: 'sound is odd' } }, 'rejected', 'sound is odd'],
      [415, { message: 'sound is odd' }, 'rejected', 'sound is odd'],
      [422, { detail: [{ loc: ['file'], msg: 'sound is odd' }] }, 'rejected', 'sound is odd'],
      [422, { detail: 'sound is odd' }, 'rejected', 'sound is odd'],
      [400, 'sound is odd', 'rejected', 'sound is odd'],
      [402, undefined, 'rejected', 'plan and billing'],
      [403, { error: 'no' }, 'unauthorised', 'TRANSCRIPTION_API_KEY and TRANSCRIPTION_MODEL'],
      [404, undefined, 'not_found', 'TRANSCRIPTION_URL'],
      [405, undefined, 'not_found', 'TRANSCRIPTION_URL'],
      [413, '<html>', 'rejected', '15 MB'],
      [
        429,
        { error: { code: 'insufficient_quota', message: 'You exceeded your current quota' } },
        'rejected',
        'billing',
      ],
    ])('%i with %j is %s with the message "%s"', async (status, body, kind, says) => {
      failWith(status, body);
      const error = await failure();
      expect(error).toMatchObject({ service: 'transcription', kind, isRetryable: false });
      expect(error.message).toContain(says);
      expect(calls()).toBe(1);
    });

    test('the message for a wrong key names the variable but not the key', async () => {
      const error = await failure(whole, { apiKey: 'sk-wrong-secret' });
      expect(error).toMatchObject({ kind: 'unauthorised', message: expect.stringContaining('TRANSCRIPTION_API_KEY') });
      failWith(400, { error: 'Bearer other-secret at http://10.0.0.1/v1?key=1 is odd' });
      const odd = await failure(whole, { apiKey: 'other-secret' });
      expect(odd.message).not.toMatch(/secret|10\.0\.0\.1/);
      expect(odd.message).toContain('is odd');
    });

    test('a key that is not a valid header value is a wrong key', async () => {
      expect((await failure(whole, { apiKey: 'schlüssel' })).kind).toBe('unauthorised');
      expect(calls()).toBe(0);
    });

    test('the message for an unknown model names it', async () => {
      const error = await failure(whole, { model: 'whisper-9' });
      expect(error).toMatchObject({ kind: 'not_found', message: expect.stringContaining('"whisper-9"') });
      expect(error.message).toContain('TRANSCRIPTION_MODEL');
    });

    test("a refusal includes the service's own message", async () => {
      const [noise] = await partsOf(await ofSamples('mkv', 'pcm-s16', Buffer.alloc(40_000, 'noise')));
      const error = await failure(noise);
      expect(error).toMatchObject({ kind: 'rejected', message: expect.stringContaining('only recognizes the sound') });
    });

    test('a file without sound is rejected', async () => {
      expect((await failure({ ...whole, bytes: new Uint8Array(5_000) })).message).toContain('corrupted');
    });

    test('a part that is too large is rejected', async () => {
      const error = await failure({ ...whole, bytes: new Uint8Array(26 * 2 ** 20) });
      expect(error).toMatchObject({ kind: 'rejected', message: expect.stringContaining('15 MB') });
    });

    test('sound that is too short for a word has no segments', async () => {
      failWith(400, { error: { code: 'audio_too_short', message: 'Audio file is too short.' } });
      expect(await hear()).toEqual([]);
    });

    test('a redirect is not followed with the recording', async () => {
      const url = await odd((_, response) => response.writeHead(307, { location: sandbox.url }).end());
      expect(await failure(whole, { url })).toMatchObject({ kind: 'rejected' });
      expect(calls()).toBe(0);
    });
  });

  describe('transient errors', () => {
    test.each<[string, FaultInput]>([
      ['429', { kind: 'status', status: 429, on: 'transcription', times: 2 }],
      ['503', { kind: 'status', status: 503, on: 'transcription', times: 2 }],
      ['a page of a proxy', { kind: 'status', status: 502, body: '<html>', on: 'transcription', times: 2 }],
      ['a reset', { kind: 'reset', when: 'before-headers', on: 'transcription', times: 2 }],
      ['a reset in the response', { kind: 'reset', when: 'after-headers', on: 'transcription', times: 2 }],
    ])('%s is retried', async (_, fault) => {
      fail(fault);
      expect((await hear()).length).toBe(TRUE.segments.length);
      expect(calls()).toBe(3);
    });

    test('a rate limit has the time of the next try', async () => {
      failWith(429, undefined, { retryAfterSeconds: 60 });
      expect(await failure()).toMatchObject({ kind: 'rate_limited', retryAfterMs: 60_000, isRetryable: true });
      expect(calls()).toBe(1);
    });

    test('an unreachable server is unavailable after the last try', async () => {
      failWith(500);
      expect(await failure()).toMatchObject({ kind: 'unavailable', isRetryable: true });
      expect(calls()).toBe(3);
      const gone = await failure(whole, { url: 'http://127.0.0.1:1/v1' });
      expect(gone).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('TRANSCRIPTION_URL') });
    });

    test('a server that does not respond completely is unavailable', async () => {
      fail({ kind: 'hang', on: 'transcription' });
      expect(await failure(whole, { timeoutMs: 150 })).toMatchObject({ kind: 'unavailable' });
      const url = await odd((_, response) => response.writeHead(200).write('{"text": '));
      const error = await failure(whole, { url, timeoutMs: 150 });
      expect(error).toMatchObject({ kind: 'unavailable', message: expect.stringContaining("didn't respond") });
    });
  });

  test('an endless response is not read completely', async () => {
    const url = await odd((_, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(1_000_000, ' '))) {}
        response.once('drain', more);
      };
      more();
    });
    expect((await failure(whole, { url })).kind).toBe('bad_response');
  });

  test('an aborted signal rejects the call at once with its reason', async () => {
    fail({ kind: 'hang', on: 'transcription' });
    const controller = new AbortController();
    const heard = transcriber().transcribe(whole, controller.signal);
    const refused = expect(heard).rejects.toThrow('enough');
    await expect.poll(calls).toBe(1);
    controller.abort(new Error('enough'));
    await refused;
  });
});

/** Starts a server for one test. Its URL ends in /v1. */
async function odd(respond: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.on('error', () => {});
    respond(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
