import { MODIFIED_AT, viewsOf } from '../files/file-source.ts';
import { sendFile } from '../files/send-file.ts';
import type { Exchange } from '../http/exchange.ts';
import { type GoogleParts, subjectOf } from './google-parts.ts';
import { escaped, sendPage } from './page.ts';

/** The page that a published video is watched on. */
export function answerWatch({ uploads }: GoogleParts, exchange: Exchange) {
  const id = exchange.query.get('v') ?? '';
  const video = uploads.videos().find((published) => published.id === id);
  if (!video) return sendPage(exchange, { status: 404, title: 'This video is not available', body: '' });
  const player = uploads.shelf.get(id)
    ? `<video controls src="media/${encodeURIComponent(id)}"></video>`
    : `<p>The sandbox did not keep this video of ${video.sizeBytes} bytes, only its checksum: ${video.sha256}</p>`;
  sendPage(exchange, {
    title: video.title,
    body: `${player}<p class="note">Sandbox of YouTube · ${escaped(video.privacy)}</p><pre>${escaped(video.description)}</pre>`,
  });
}

/** The bytes of a published video. */
export async function answerMedia({ uploads, faults }: GoogleParts, exchange: Exchange): Promise<void> {
  const id = exchange.path.split('/').at(-1) ?? '';
  const bytes = uploads.shelf.get(id);
  if (!bytes) return exchange.fail(404, 'not_found', 'There is no such video.');
  await sendFile(exchange, faults, subjectOf(exchange), {
    size: bytes.length,
    contentType: uploads.videos().find((video) => video.id === id)?.contentType ?? 'video/mp4',
    etag: `"${id}"`,
    modifiedAt: MODIFIED_AT,
    chunks: (start, end) => viewsOf(bytes, start, end),
  });
}
