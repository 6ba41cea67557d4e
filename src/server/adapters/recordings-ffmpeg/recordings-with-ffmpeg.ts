import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtempDisposable, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openVideo, storeVideo } from '#server/adapters/recordings-mediabunny/video-files.ts';
import { type FileStore, readChunks } from '#server/ports/file-store.ts';
import { type JoinOutcome, type Recordings, UnreadableRecording } from '#server/ports/recordings.ts';
import { type EncodeInput, ffmpegArguments } from './ffmpeg-arguments.ts';
import { runFfmpeg } from './run-ffmpeg.ts';

export interface FfmpegOptions {
  /** Reads recordings, and joins those that need no encoding. */
  recordings: Recordings;
  files: FileStore;
  ffmpegPath: string;
  /** For copies of the recordings while ffmpeg runs. */
  folder: string;
  /** Limits a run: a fixed time, plus a time for each second of the recordings. */
  limitMs?: number;
  limitMsPerSecond?: number;
}

const LIMIT_MS_PER_SECOND = 4_000;
const LIMIT_MS = 60_000;
const CHUNK_BYTES = 2 ** 20;
/** The age of copies that a killed process left behind. Every join takes less time. */
const ABANDONED_AFTER_MS = 24 * 3_600_000;

/** Encodes recordings with ffmpeg when they differ too much to be joined as they are. */
export const recordingsWithFfmpeg = (options: FfmpegOptions): Recordings => ({
  ...options.recordings,
  async join(videoNames, baseName, signal) {
    const outcome = await options.recordings.join(videoNames, baseName, signal);
    return outcome.status === 'joined' ? outcome : encodeJoined(options, { videoNames, baseName, signal });
  },
});

interface EncodeRequest {
  videoNames: readonly string[];
  baseName: string;
  signal: AbortSignal;
}

async function encodeJoined(
  options: FfmpegOptions,
  { videoNames, baseName, signal }: EncodeRequest,
): Promise<JoinOutcome> {
  const { files, ffmpegPath, folder, limitMs = LIMIT_MS, limitMsPerSecond = LIMIT_MS_PER_SECOND } = options;
  await mkdir(folder, { recursive: true });
  await removeAbandoned(folder);
  await using scratch = await mkdtempDisposable(join(folder, 'join-'));
  const inputs: EncodeInput[] = [];
  for (const [index, name] of videoNames.entries()) {
    const path = join(scratch.path, String(index));
    inputs.push({ path, content: await contentOf(options.recordings, name, signal) });
    await copyFromStore(files, name, { path, signal });
  }
  const startSeconds: number[] = [];
  let durationSeconds = 0;
  for (const { content } of inputs) {
    startSeconds.push(durationSeconds);
    durationSeconds += content.durationSeconds;
  }
  const output = join(scratch.path, 'joined.mp4');
  const limits = { limitMs: limitMs + durationSeconds * limitMsPerSecond, signal };
  await runFfmpeg(ffmpegPath, ffmpegArguments(inputs, output), limits);
  const name = `${baseName}.mp4`;
  const read = () => createReadStream(output, { highWaterMark: CHUNK_BYTES, signal });
  await storeVideo(files, { baseName, name }, read);
  return { status: 'joined', name, startSeconds, durationSeconds };
}

async function contentOf(recordings: Recordings, name: string, signal: AbortSignal): Promise<EncodeInput['content']> {
  const content = await recordings.inspect(name, signal);
  const { durationSeconds } = content;
  if (durationSeconds === null) throw new UnreadableRecording('The length of a recording is unknown.');
  return { ...content, durationSeconds };
}

async function copyFromStore(
  files: FileStore,
  name: string,
  { path, signal }: { path: string; signal: AbortSignal },
): Promise<void> {
  const opened = await openVideo(files, name);
  const target = createWriteStream(path, { mode: 0o600 });
  await pipeline(readChunks(opened), target, { signal }).finally(() => opened.close());
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const entry of await readdir(folder)) {
    const path = join(folder, entry);
    const found = await stat(path).catch(() => null);
    const isAbandoned = found !== null && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS;
    if (entry.startsWith('join-') && isAbandoned) await rm(path, { recursive: true, force: true });
  }
}
