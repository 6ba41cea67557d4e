import type { Exchange } from '#sandbox/http/exchange.ts';
import { readJson } from '#sandbox/http/exchange.ts';
import { failAsGoogle } from './google-error.ts';
import type { GoogleParts } from './google-parts.ts';
import type { VideoMetadata } from './uploads.ts';

/**
 * `videos.insert` with `uploadType=resumable`: checks the metadata as YouTube does and responds
 * with the URL of the session.
 */
export async function startUpload({ uploads, url }: GoogleParts, exchange: Exchange): Promise<void> {
  const metadata = metadataOf(await readJson(exchange.request).catch(() => ({})));
  if (exchange.faults.take('no-channel')) return failAsGoogle(exchange, 'youtubeSignupRequired');
  const problem = problemOf(metadata, exchange);
  if (problem) return failAsGoogle(exchange, problem);

  const { headers } = exchange.request;
  const sizeBytes = Number(headers['x-upload-content-length']);
  const upload = uploads.start(metadata, String(headers['x-upload-content-type']), sizeBytes);
  const sessionUrl = `${url}/upload/youtube/v3/videos?uploadType=resumable&upload_id=${upload.id}`;
  exchange.send(200, 'text/plain', Buffer.alloc(0), { location: sessionUrl });
}

function metadataOf(body: unknown): VideoMetadata {
  const { snippet, status } = (body ?? {}) as { snippet?: Record<string, unknown>; status?: Record<string, unknown> };
  const isForKids = status?.selfDeclaredMadeForKids;
  return {
    title: String(snippet?.title ?? ''),
    description: String(snippet?.description ?? ''),
    privacy: String(status?.privacyStatus ?? 'public'),
    selfDeclaredMadeForKids: typeof isForKids === 'boolean' ? isForKids : null,
  };
}

/**
 * Checks the limits of https://developers.google.com/youtube/v3/docs/videos and the headers that
 * the protocol requires.
 */
function problemOf({ title, description, privacy }: VideoMetadata, { query, request }: Exchange): string | null {
  const parts = (query.get('part') ?? '').split(',');
  if (query.get('uploadType') !== 'resumable' || !parts.includes('snippet') || !parts.includes('status'))
    return 'missingRequiredParameter';
  if (title.trim() === '' || [...title].length > 100 || /[<>]/.test(title)) return 'invalidTitle';
  if (Buffer.byteLength(description) > 5_000 || /[<>]/.test(description)) return 'invalidDescription';
  if (!['private', 'unlisted', 'public'].includes(privacy)) return 'invalidMetadata';
  const size = Number(request.headers['x-upload-content-length']);
  const type = request.headers['x-upload-content-type'] ?? '';
  return size > 0 && /^(video\/|application\/octet-stream)/.test(String(type)) ? null : 'mediaBodyRequired';
}
