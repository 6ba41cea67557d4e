/**
 * Generates the committed recordings, transcripts and thumbnails in `files/` from the scripts:
 * `node src/sandbox/media/make-media.ts [id …]`. Needs ffmpeg, espeak-ng and Chromium. Running the
 * product does not need it.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawPerson, type Pose } from './draw-person.ts';
import { drawCaption, drawRoom } from './draw-room.ts';
import type { Script } from './script.ts';
import { SCRIPTS } from './scripts.ts';
import { SAMPLE_RATE, type Speech, speak } from './speech.ts';

const WIDTH = 640;
const HEIGHT = 360;
const FRAMES_PER_SECOND = 12;
const FRAME_BYTES = (WIDTH * HEIGHT * 3) / 2;
const SWAYS = [-2, -1, 0, 1, 2];
const MOUTHS = [0, 1, 2, 3];
const FILES_DIR = fileURLToPath(new URL('files/', import.meta.url));

/**
 * All poses in the order of the tiles on the sheet: five columns by sway, eight rows by eyes and
 * mouth.
 */
const POSES: Pose[] = [false, true].flatMap((isBlinking) =>
  MOUTHS.flatMap((mouth) => SWAYS.map((sway) => ({ mouth, isBlinking, sway }))),
);

const wanted = process.argv.slice(2);
mkdirSync(FILES_DIR, { recursive: true });
for (const script of SCRIPTS) {
  if (wanted.length > 0 && !wanted.includes(script.id)) continue;
  const workDir = mkdtempSync(join(tmpdir(), 'sandbox-media-'));
  makeRecording(script, workDir);
  rmSync(workDir, { recursive: true });
}
if (wanted.length === 0) makeShortAnswer();

/** Cuts a recording that is small enough for thousands of downloads. */
function makeShortAnswer(): void {
  const [from, to] = ['support-knowledge.mp4', 'short-answer.mp4'].map((name) => join(FILES_DIR, name));
  const options = ['-t', '1.5', '-c', 'copy', '-map_metadata', '-1', '-fflags', '+bitexact', '-flags', '+bitexact'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', `${from}`, ...options, '-movflags', '+faststart', `${to}`]);
}

function makeRecording(script: Script, workDir: string): void {
  const speech = speak(script, workDir);
  const durationSeconds = speech.samples.length / SAMPLE_RATE;
  const sheets = script.answers.map((_, answer) => renderPoses(script, answer, workDir));
  const frames = frameIndexes(script, speech, durationSeconds).map(({ answer, pose }) =>
    sheets[answer]?.subarray(pose * FRAME_BYTES, (pose + 1) * FRAME_BYTES) ?? Buffer.alloc(FRAME_BYTES),
  );
  const wav = join(workDir, 'speech.raw');
  writeFileSync(wav, Buffer.from(speech.samples.buffer));
  const file = `${script.id}.${script.container}`;
  encode(script, frames, wav, join(FILES_DIR, file));
  makeThumbnail(script, workDir);

  const segments = script.silent ? [] : speech.segments;
  const transcript = {
    text: segments.map(({ text }) => text).join(' '),
    durationSeconds: Number(durationSeconds.toFixed(2)),
    segments,
  };
  writeFileSync(join(FILES_DIR, `${script.id}.json`), `${JSON.stringify(transcript, null, 2)}\n`);
  process.stdout.write(`${file}: ${durationSeconds.toFixed(1)} s\n`);
}

/**
 * Renders all poses with the caption of one answer as consecutive raw frames. Chromium draws one
 * picture, ffmpeg cuts it.
 */
function renderPoses(script: Script, answer: number, workDir: string): Buffer {
  const count = script.answers.length;
  const counter = `${script.funnelId.replace('-', ' ').toUpperCase()}${count > 1 ? `  ·  ANSWER ${answer + 1} OF ${count}` : ''}`;
  const caption = drawCaption(counter, script.answers[answer]?.question ?? '', script.silent === true);
  const room = drawRoom(script.look);
  const sheet = join(workDir, `sheet-${answer}.png`);
  screenshot(POSES.map((pose) => room + drawPerson(script.look, pose) + caption), SWAYS.length, sheet, workDir);
  return execFileSync(
    'ffmpeg',
    ['-v', 'error', '-i', sheet, '-vf', `untile=${SWAYS.length}x${POSES.length / SWAYS.length}`, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-'],
    { maxBuffer: 2 ** 30 },
  );
}

function screenshot(drawings: string[], columns: number, png: string, workDir: string): void {
  const page = join(workDir, 'page.html');
  const rows = Math.ceil(drawings.length / columns);
  const tiles = drawings.map((drawing) => `<svg width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${drawing}</svg>`);
  writeFileSync(
    page,
    `<!doctype html><meta charset="utf-8"><style>body{margin:0;display:grid;grid-template-columns:repeat(${columns},${WIDTH}px);font-family:"DejaVu Sans"}svg{display:block}</style>${tiles.join('')}`,
  );
  execFileSync(
    'chromium',
    ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', `--user-data-dir=${join(workDir, 'profile')}`, `--window-size=${columns * WIDTH},${rows * HEIGHT}`, `--screenshot=${png}`, page],
    { stdio: 'ignore' },
  );
}

/**
 * Returns the caption and pose of each frame: the mouth follows the loudness, the eyes blink every
 * few seconds.
 */
function frameIndexes(script: Script, { samples, answersAt }: Speech, durationSeconds: number) {
  const loudness = Array.from({ length: Math.ceil(durationSeconds * FRAMES_PER_SECOND) }, (_, frame) =>
    rootMeanSquare(samples, frame / FRAMES_PER_SECOND, (frame + 1) / FRAMES_PER_SECOND),
  );
  const loudest = Math.max(...loudness, 1);
  return loudness.map((level, frame) => {
    const share = level / loudest;
    const mouth = share < 0.06 ? 0 : share < 0.3 ? 1 : share < 0.58 ? 2 : 3;
    const sway = Math.round(2 * Math.sin(frame / 23) * Math.sin(frame / 57 + 1));
    const isBlinking = frame % 41 === 17 || (frame % 97) === 60;
    const answer = Math.max(0, answersAt.findLastIndex((at) => at <= frame / FRAMES_PER_SECOND));
    const pose = POSES.findIndex((other) => other.mouth === mouth && other.sway === sway + 0 && other.isBlinking === isBlinking);
    return { answer: Math.min(answer, script.answers.length - 1), pose: Math.max(0, pose) };
  });
}

function rootMeanSquare(samples: Int16Array, from: number, to: number): number {
  const part = samples.subarray(from * SAMPLE_RATE, to * SAMPLE_RATE);
  return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, part.length));
}

function encode({ container, silent }: Script, frames: Buffer[], audio: string, output: string): void {
  const video = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${WIDTH}x${HEIGHT}`, '-r', String(FRAMES_PER_SECOND), '-i', '-'];
  const sound = silent ? [] : ['-f', 's16le', '-ar', String(SAMPLE_RATE), '-ac', '1', '-i', audio];
  const codecs =
    container === 'webm'
      ? ['-c:v', 'libvpx-vp9', '-crf', '40', '-b:v', '0', '-g', '60', '-c:a', 'libopus', '-b:a', '32k']
      : ['-c:v', 'libx264', '-preset', 'veryslow', '-tune', 'animation', '-crf', '29', '-g', '60', '-pix_fmt', 'yuv420p', '-movflags', '+faststart', '-c:a', 'aac', '-b:a', '40k'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...video, ...sound, ...codecs, '-map_metadata', '-1', '-fflags', '+bitexact', '-flags', '+bitexact', output], {
    input: Buffer.concat(frames),
    stdio: ['pipe', 'ignore', 'inherit'],
  });
}

/** Draws the person smiling, without a caption. */
function makeThumbnail({ id, look }: Script, workDir: string): void {
  const png = join(workDir, 'thumbnail.png');
  screenshot([drawRoom(look) + drawPerson(look, { mouth: 0, isBlinking: false, sway: 0 })], 1, png, workDir);
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-vf', 'scale=480:270', '-q:v', '5', '-update', '1', join(FILES_DIR, `${id}.jpg`)]);
}
