import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import { type YoutubeOptions, youtubeVideoHost } from '#server/adapters/video-host-youtube/youtube-video-host.ts';
import type { FileStore } from '#server/ports/file-store.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import type { UploadSession, VideoHost, VideoToPublish } from '#server/ports/video-host.ts';

export const CHUNK = 256 * 1024;
export const RETRY = { tries: 4, firstDelayMs: 1, maxDelayMs: 5 };
export const never = new AbortController().signal;
/** Three full chunks and an incomplete one. */
export const BYTES = 3 * CHUNK + 1_234;

type Settings = Partial<YoutubeOptions>;
type Adapter = (sandbox: Sandbox, files: FileStore, settings?: Settings) => VideoHost;

/** Each adapter over the same sandbox, with short waits and timeouts. */
export const VIDEO_HOSTS: Record<string, Adapter> = {
  youtube: ({ google: { url: apiUrl, ...permission } }, files, settings) =>
    youtubeVideoHost({
      apiUrl,
      ...permission,
      files,
      privacy: 'unlisted',
      retry: RETRY,
      chunkBytes: CHUNK,
      timeoutMs: 1_000,
      ...settings,
    }),
};

/** Opens a host over a file store that contains the video `a.mp4`. */
export async function setUpHost(
  host: (files: FileStore, settings?: Settings) => VideoHost,
  bytes: number,
  settings?: Settings,
) {
  const folder = await mkdtemp(join(tmpdir(), 'video-host-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = localFileStore(folder);
  const content = bytesOf(bytes);
  await storeVideo(files, 'a.mp4', content);
  return { files, folder, host: host(files, settings), sha256: digest(content) };
}

/** A caller that records what the host reports. */
export function uploadContext(session: UploadSession | null = null, signal = never) {
  const reported: { sessions: (UploadSession | null)[]; progress: [number, number][] } = { sessions: [], progress: [] };
  return {
    reported,
    session,
    signal,
    saveSession: async (next: UploadSession | null) => void reported.sessions.push(next),
    onProgress: (sent: number, total: number) => void reported.progress.push([sent, total]),
  };
}

export const videoToPublish = (fields: Partial<VideoToPublish> = {}): VideoToPublish => ({
  name: 'a.mp4',
  title: 'Nurse – Ana',
  description: 'Nights',
  ...fields,
});

export async function refusalOf(work: Promise<unknown>): Promise<UpstreamError> {
  const error = await work.then(
    () => null,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(UpstreamError);
  return error as UpstreamError;
}

/** Bytes without two equal parts. */
export function bytesOf(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at + 4 <= count; at += 4) bytes.writeUInt32LE(Math.imul(at + count, 2_654_435_761) >>> 0, at);
  return bytes;
}

export const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export async function storeVideo(files: FileStore, name: string, content: Buffer): Promise<void> {
  const partial = await files.resume('video', name);
  await partial.append(content);
  await partial.commit();
}

/**
 * Starts a server that grants tokens and returns `body` to every other call. Resolves with its
 * address.
 */
export async function startStub(body: unknown, headers: Record<string, string> = {}): Promise<string> {
  const { url } = await listening(
    (path) => (path === '/token' ? { access_token: 'token', expires_in: 3_600 } : body),
    headers,
  );
  return url;
}

/** Starts a server that is unrelated to the host. */
export async function startStranger() {
  let requests = 0;
  const { url } = await listening(() => {
    requests += 1;
    return {};
  });
  return { url, requests: () => requests };
}

async function listening(bodyFor: (path: string) => unknown, headers: Record<string, string> = {}) {
  const server = createServer((request, response) => {
    request.resume();
    const body = bodyFor(request.url ?? '');
    response.writeHead(200, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
