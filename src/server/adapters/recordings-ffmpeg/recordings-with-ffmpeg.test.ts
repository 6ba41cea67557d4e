import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import { mediabunnyRecordings } from '#server/adapters/recordings-mediabunny/mediabunny-recordings.ts';
import { UnreadableRecording } from '#server/ports/recordings.ts';
import { sample } from '#support/make-recording.ts';
import { until } from '#support/until.ts';
import { recordingsWithFfmpeg } from './recordings-with-ffmpeg.ts';

const MP4 = 'eng-slow-page.mp4';
const WEBM = 'eng-mentoring.webm';
const WITHOUT_SOUND = 'eng-microphone-off.mp4';
const never = new AbortController().signal;

const COPIES_ITS_FIRST_INPUT = `copyFileSync(args[args.indexOf('-i') + 1], args.at(-1));`;

/**
 * Creates a store with the samples, and a program in place of ffmpeg that records its arguments and
 * then runs the code `work`.
 */
async function setUp(work: string, limitMsPerSecond?: number) {
  const folder = await mkdtemp(join(tmpdir(), 'ffmpeg-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = await localFileStore(folder);
  await mkdir(join(folder, 'videos'));
  for (const name of [MP4, WEBM, WITHOUT_SOUND]) await writeFile(join(folder, 'videos', name), await sample(name));
  const ffmpegPath = join(folder, 'ffmpeg');
  await writeFile(
    ffmpegPath,
    `#!${process.execPath}
const { copyFileSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
writeFileSync(${JSON.stringify(join(folder, 'call.json'))}, JSON.stringify({ args, pid: process.pid, env: process.env }));
${work}`,
    { mode: 0o755 },
  );
  const spool = join(folder, 'spool');
  const recordings = recordingsWithFfmpeg({
    recordings: mediabunnyRecordings({ files }),
    files,
    ffmpegPath,
    folder: spool,
    ...(limitMsPerSecond !== undefined && { limitMsPerSecond, limitMs: 0 }),
  });
  return {
    recordings,
    folder,
    leftovers: () => readdir(spool),
    videos: () => readdir(join(folder, 'videos')),
    call: async () => JSON.parse(await readFile(join(folder, 'call.json'), 'utf8')),
  };
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('recordings that differ are encoded into one mp4, the smaller in the size of the largest', async () => {
  const { recordings, folder, call, leftovers } = await setUp(COPIES_ITS_FIRST_INPUT);
  expect(await recordings.join([MP4, WEBM, WITHOUT_SOUND], 'whole', never)).toEqual({
    status: 'joined',
    name: 'whole.mp4',
    startSeconds: [0, expect.closeTo(27.7, 1), expect.closeTo(49.1, 1)],
    durationSeconds: expect.closeTo(69.5, 1),
  });
  expect(await readFile(join(folder, 'videos', 'whole.mp4'))).toEqual(await sample(MP4));
  const { args, env } = await call();
  expect(Object.keys(env).filter((name) => name !== '__CF_USER_TEXT_ENCODING')).toEqual([]);
  const filter = args[args.indexOf('-filter_complex') + 1];
  expect(filter).toContain('[1:v:0]scale=640:360');
  expect(filter).toContain('anullsrc');
  expect(filter).toMatch(/\[v0\]\[a0\]\[v1\]\[a1\]\[v2\]\[a2\]concat=n=3:v=1:a=1\[v\]\[a\]$/);
  expect(args.filter((arg: string) => arg === '-protocol_whitelist')).toHaveLength(3);
  expect(await leftovers()).toEqual([]);
});

test('recordings that fit together are joined without ffmpeg', async () => {
  const { recordings, call } = await setUp(COPIES_ITS_FIRST_INPUT);
  expect(await recordings.join([MP4, MP4], 'whole', never)).toMatchObject({ status: 'joined', name: 'whole.mp4' });
  await expect(call()).rejects.toThrow('ENOENT');
});

test('a failure of ffmpeg is reported with its last line, and leaves no file', async () => {
  const { recordings, videos, leftovers } = await setUp(
    `console.error('frame 1\\nInvalid data found'); process.exitCode = 1;`,
  );
  await expect(recordings.join([MP4, WEBM], 'whole', never)).rejects.toThrow(UnreadableRecording);
  await expect(recordings.join([MP4, WEBM], 'whole', never)).rejects.toThrow('Invalid data found');
  expect(await videos()).not.toContain('whole.mp4');
  expect(await leftovers()).toEqual([]);
});

test('an abort kills ffmpeg, and throws the reason of the signal', async () => {
  const { recordings, call, leftovers } = await setUp('setInterval(() => {}, 1_000);');
  const controller = new AbortController();
  const joining = recordings.join([MP4, WEBM], 'whole', controller.signal);
  joining.catch(() => {});
  const { pid } = await until('the program runs', () => call().catch(() => null));
  controller.abort(new Error('enough'));
  await expect(joining).rejects.toThrow('enough');
  expect(isRunning(pid)).toBe(false);
  expect(await leftovers()).toEqual([]);
});

test('ffmpeg is killed when it takes too long for the length of the recordings', async () => {
  const { recordings, call } = await setUp('setInterval(() => {}, 1_000);', 30);
  await expect(recordings.join([MP4, WEBM], 'whole', never)).rejects.toThrow('takes too long');
  expect(isRunning((await call()).pid)).toBe(false);
});
