import type { Exchange } from '#sandbox/http/exchange.ts';
import type { Mount } from '#sandbox/http/mount.ts';
import type { InterviewStore } from '#sandbox/interviews/interview-store.ts';
import type { Signatures } from '#sandbox/interviews/signatures.ts';
import { committedFile, type FileSource } from './file-source.ts';
import { generatedVideo } from './generated-video.ts';
import { infectedVideo } from './infected-video.ts';
import { sendFile } from './send-file.ts';

export interface MediaParts {
  store: InterviewStore;
  signatures: Signatures;
}

/**
 * `/media/videos/{name}`, also below an interview id, so that each interview has another URL.
 */
const COMMITTED = /^\/media\/(?:videos|thumbnails)\/(?:([^/]+)\/)?([^/]+)$/;
/** `/media/generated/{bytes}/{interviewId}.mp4` */
const GENERATED = /^\/media\/generated\/(\d+)\/([^/]+)\.mp4$/;
/** `/media/infected/{interviewId}.mp4` */
const INFECTED = /^\/media\/infected\/([^/]+)\.mp4$/;

/** Recordings and thumbnails: plain GET requests without a key, as for the service's URLs. */
export function mediaMount({ store, signatures }: MediaParts): Mount {
  const funnelIdOf = (path: string) => {
    const interviewId = GENERATED.exec(path)?.[2] ?? INFECTED.exec(path)?.[1] ?? COMMITTED.exec(path)?.[1];
    return interviewId === undefined ? null : store.funnelIdOf(interviewId);
  };
  return {
    name: 'media',
    prefix: '/media',
    funnelIdOf,
    async handle(exchange) {
      const { method, path } = exchange;
      if (method !== 'GET' && method !== 'HEAD') {
        return exchange.fail(405, 'method_not_allowed', 'Use GET or HEAD.', { allow: 'GET, HEAD' });
      }
      const source = sourceOf(path);
      if (!source) return exchange.fail(404, 'not_found', 'File not found.');
      const status = refusalOf(exchange, signatures);
      if (status) return exchange.fail(status, 'expired', 'This address has expired.');
      await sendFile(exchange, source);
    },
  };
}

function sourceOf(path: string): FileSource | null {
  const generated = GENERATED.exec(path);
  if (generated) return generatedVideo(generated[2] ?? '', Number(generated[1]));
  const infected = INFECTED.exec(path)?.[1];
  if (infected !== undefined) return infectedVideo(infected);
  return committedFile(COMMITTED.exec(path)?.[2] ?? '');
}

/**
 * Returns the status of a signed URL that is no longer valid, or null while URLs are not
 * signed.
 */
function refusalOf({ path, query, faults }: Exchange, signatures: Signatures): 403 | 410 | null {
  const signing = faults.find('signed-urls');
  return signing && !signatures.isValid(path, query.get('sig')) ? signing.status : null;
}
