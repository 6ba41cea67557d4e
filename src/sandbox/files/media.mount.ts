import type { FaultList } from '../faults/fault-list.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Mount } from '../http/mount.ts';
import type { InterviewStore } from '../interviews/interview-store.ts';
import type { Signatures } from '../interviews/signatures.ts';
import { committedFile, type FileSource } from './file-source.ts';
import { generatedVideo } from './generated-video.ts';
import { infectedVideo } from './infected-video.ts';
import { sendFile } from './send-file.ts';

export interface MediaParts {
  store: InterviewStore;
  faults: FaultList;
  signatures: Signatures;
}

/** `/media/videos/{name}`, also below an interview's id so that each interview has an address of its own. */
const COMMITTED = /^\/media\/(?:videos|thumbnails)\/(?:([^/]+)\/)?([^/]+)$/;
/** `/media/generated/{bytes}/{interviewId}.mp4` */
const GENERATED = /^\/media\/generated\/(\d+)\/([^/]+)\.mp4$/;
/** `/media/infected/{interviewId}.mp4` */
const INFECTED = /^\/media\/infected\/([^/]+)\.mp4$/;

/** Recordings and thumbnails: plain GETs without a key, as the service's addresses are. */
export function mediaMount({ store, faults, signatures }: MediaParts): Mount {
  const funnelIdOf = (path: string) => {
    const interviewId = GENERATED.exec(path)?.[2] ?? INFECTED.exec(path)?.[1] ?? COMMITTED.exec(path)?.[1];
    return interviewId === undefined ? null : store.funnelIdOf(interviewId);
  };
  return {
    name: 'media',
    prefix: '/media',
    isOutsideWorld: true,
    funnelIdOf,
    async handle(exchange) {
      const { method, path } = exchange;
      if (method !== 'GET' && method !== 'HEAD') {
        return exchange.fail(405, 'method_not_allowed', 'Only GET and HEAD are known here.', { allow: 'GET, HEAD' });
      }
      const source = sourceOf(path);
      if (!source) return exchange.fail(404, 'not_found', 'There is no such file.');
      const status = refusalOf(exchange, faults, signatures);
      if (status) return exchange.fail(status, 'expired', 'This address has expired.');
      await sendFile(exchange, faults, { mount: 'media', path, funnelId: funnelIdOf(path), page: null }, source);
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

/** The status of a signed address that is no longer good; null while addresses are not signed. */
function refusalOf({ path, query }: Exchange, faults: FaultList, signatures: Signatures): 403 | 410 | null {
  const signing = faults.find('signed-urls');
  return signing && !signatures.isGood(path, query.get('sig')) ? signing.status : null;
}
