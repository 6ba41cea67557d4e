import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import { RETRY_POLICY } from '#server/adapters/outside-http/retry.ts';
import { youtubeVideoHost } from '#server/adapters/video-host-youtube/youtube-video-host.ts';
import { timed } from '../keep-alive-client.ts';
import type { UploadTask } from './uploader.ts';

const never = new AbortController().signal;

/** The product's adapter with the product's settings. Token, session and all bytes are measured. */
async function upload({ folder, name, variables }: UploadTask): Promise<void> {
  const host = youtubeVideoHost({
    clientId: variables.YOUTUBE_CLIENT_ID ?? '',
    clientSecret: variables.YOUTUBE_CLIENT_SECRET ?? '',
    refreshToken: variables.YOUTUBE_REFRESH_TOKEN ?? '',
    apiUrl: variables.YOUTUBE_API_URL ?? '',
    privacy: 'unlisted',
    files: localFileStore(folder),
    retry: RETRY_POLICY,
  });
  await host.upload(
    { name, title: 'Made to measure with', description: '' },
    { session: null, saveSession: async () => {}, onProgress: () => {}, signal: never },
  );
}

process.on('message', async (task: UploadTask) => process.send?.({ ms: await timed(() => upload(task)) }));
process.once('disconnect', () => process.exit());
process.send?.({ pid: process.pid });
