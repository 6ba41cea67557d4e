import type { FaultOf } from '#sandbox/faults/fault.ts';
import type { Exchange } from '#sandbox/http/exchange.ts';
import { failAsGoogle } from './google-error.ts';
import type { GoogleParts } from './google-parts.ts';
import { CHANNEL_TITLE } from './tokens.ts';
import type { PublishedVideo } from './uploads.ts';

/** Number of polls that report "processing" before a video is ready. */
const POLLS = 2;

/** `videos.list`: the state of one video. */
export function listVideos({ uploads }: GoogleParts, exchange: Exchange): void {
  const video = uploads.videos().find(({ id }) => id === exchange.query.get('id'));
  const isListed = video && !exchange.faults.take('not-listed');
  if (isListed) video.polls += 1;
  const fate = exchange.faults.take('processing-fails', 'processing-rejected', 'processing-takes');
  const items = isListed ? [{ id: video.id, ...stateOf(video, fate) }] : [];
  exchange.json(200, { kind: 'youtube#videoListResponse', items });
}

type Fate = FaultOf<'processing-fails' | 'processing-rejected' | 'processing-takes'> | null;

function stateOf({ polls, privacy }: PublishedVideo, fate: Fate) {
  const status = (uploadStatus: string, more = {}) => ({ uploadStatus, privacyStatus: privacy, ...more });
  if (fate?.kind === 'processing-fails')
    return {
      status: status('failed', { failureReason: fate.reason }),
      processingDetails: { processingStatus: 'failed', processingFailureReason: 'transcodeFailed' },
    };
  if (fate?.kind === 'processing-rejected') return { status: status('rejected', { rejectionReason: fate.reason }) };
  const needed = fate?.polls ?? POLLS;
  if (polls > needed) return { status: status('processed'), processingDetails: { processingStatus: 'succeeded' } };
  return {
    status: status('uploaded'),
    processingDetails: {
      processingStatus: 'processing',
      // Google sends these numbers as strings.
      processingProgress: { partsTotal: String(needed), partsProcessed: String(polls - 1), timeLeftMs: '1000' },
    },
  };
}

/** `videos.delete`. */
export function deleteVideo({ uploads }: GoogleParts, exchange: Exchange): void {
  if (uploads.remove(exchange.query.get('id') ?? '')) exchange.send(204, 'application/json', Buffer.alloc(0));
  else failAsGoogle(exchange, 'videoNotFound', 'The video that you are trying to delete cannot be found.');
}

/** `channels.list` for the account itself. */
export function listChannels(_: GoogleParts, exchange: Exchange): void {
  const items = exchange.faults.find('no-channel') ? [] : [{ id: 'UCsandbox', snippet: { title: CHANNEL_TITLE } }];
  exchange.json(200, {
    kind: 'youtube#channelListResponse',
    pageInfo: { totalResults: items.length },
    ...(items.length ? { items } : {}),
  });
}
