import type { Exchange } from '#sandbox/http/exchange.ts';
import type { Mount } from '#sandbox/http/mount.ts';
import { handleConsent, handleToken } from './consent.ts';
import { failAsGoogle, refuse } from './google-error.ts';
import { GOOGLE_PREFIX, type GoogleParts } from './google-parts.ts';
import { startUpload } from './start-upload.ts';
import { takeChunk } from './take-chunk.ts';
import { deleteVideo, listChannels, listVideos } from './video-state.ts';
import { sendMedia, sendWatchPage } from './watch.ts';

type Handler = (parts: GoogleParts, exchange: Exchange) => Promise<void> | void;

/** Pages and the token endpoint, without authentication. */
const OPEN: Record<string, Handler> = {
  'GET /o/oauth2/v2/auth': handleConsent,
  'POST /token': handleToken,
  'GET /watch': sendWatchPage,
};

/** The YouTube Data API, with an access token. */
const API: Record<string, Handler> = {
  'POST /upload/youtube/v3/videos': startUpload,
  'PUT /upload/youtube/v3/videos': takeChunk,
  'GET /youtube/v3/videos': listVideos,
  'DELETE /youtube/v3/videos': deleteVideo,
  'GET /youtube/v3/channels': listChannels,
};

/**
 * The part of Google needed to publish a video: consent and tokens, the resumable upload, and a
 * page to watch the video.
 */
export const googleMount = (parts: GoogleParts): Mount => ({
  name: 'google',
  prefix: GOOGLE_PREFIX,
  async handle(exchange) {
    const { method, path } = exchange;
    const line = `${method} ${path.slice(GOOGLE_PREFIX.length)}`;
    const open = OPEN[line] ?? (/^(GET|HEAD) \/media\/[^/]+$/.test(line) ? sendMedia : undefined);
    if (open) return open(parts, exchange);
    const api = API[line];
    if (!api) return exchange.fail(404, 'not_found', "The sandbox doesn't simulate this call.");

    const [, token = ''] = /^Bearer (.+)$/i.exec(exchange.request.headers.authorization ?? '') ?? [];
    if (!parts.tokens.isValid(token))
      return afterBody(exchange, () => failAsGoogle(exchange, 'authError', 'Invalid Credentials'));
    const refusal = exchange.faults.take('google-refuses');
    if (refusal) return afterBody(exchange, () => refuse(exchange, refusal));
    return api(parts, exchange);
  },
});

/**
 * Reads the rest of the body first, as Google's servers do, because a refusal in the middle of a
 * body can be lost with the connection.
 */
async function afterBody(exchange: Exchange, respond: () => void): Promise<void> {
  for await (const _ of exchange.request);
  respond();
}
