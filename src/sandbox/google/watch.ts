import { MODIFIED_AT, viewsOf } from '#sandbox/files/file-source.ts';
import { sendFile } from '#sandbox/files/send-file.ts';
import type { Exchange } from '#sandbox/http/exchange.ts';
import { escaped, sendPage } from '#sandbox/http/page.ts';
import type { GoogleParts } from './google-parts.ts';

/** The page of a published video. */
export function sendWatchPage({ uploads }: GoogleParts, exchange: Exchange) {
  const id = exchange.query.get('v') ?? '';
  const video = uploads.videos().find((published) => published.id === id);
  if (!video) return sendPage(exchange, { status: 404, title: 'This video is not available', body: '' });
  const player = uploads.shelf.get(id)
    ? `<video controls src="media/${encodeURIComponent(id)}"></video>`
    : `<p>This video of ${video.sizeBytes} bytes was too large to keep. Its checksum: ${video.sha256}</p>`;
  sendPage(exchange, {
    title: video.title,
    body: `${player}<p class="note">Sandbox of YouTube · ${escaped(video.privacy)}</p><pre>${escaped(video.description)}</pre>`,
  });
}

/** Sends the bytes of a published video. */
export async function sendMedia({ uploads }: GoogleParts, exchange: Exchange): Promise<void> {
  const id = exchange.path.split('/').at(-1) ?? '';
  const bytes = uploads.shelf.get(id);
  if (!bytes) return exchange.fail(404, 'not_found', 'Video not found.');
  await sendFile(exchange, {
    size: bytes.length,
    contentType: uploads.videos().find((video) => video.id === id)?.contentType ?? 'video/mp4',
    etag: `"${id}"`,
    modifiedAt: MODIFIED_AT,
    chunks: (start, end) => viewsOf(bytes, start, end),
  });
}
