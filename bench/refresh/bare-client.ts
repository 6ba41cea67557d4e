import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Agent, request, stream } from 'undici';
import type { FunnelAccess, SandboxProcess } from './sandbox-process.ts';

const PAGE_SIZE = 100;
/** The product's default. */
const FILES_AT_ONCE = 6;

interface Page {
  interviews: { videoUrl?: string | null; thumbnailUrl?: string | null }[];
  total: number;
}

interface BareOptions {
  withFiles: boolean;
  /** A folder for the files. */
  storeIn?: string;
  /** Moves a downloaded file elsewhere. */
  upload?: (path: string) => Promise<void>;
}

/**
 * The minimum work of a refresh: reads the same pages in order, requests each page as soon as the
 * previous one has arrived, and downloads the same files with the same number of connections.
 * Without `storeIn` it discards them; with it, it flushes each file and renames it when it is
 * complete. Returns milliseconds.
 */
export async function bareRefresh(
  { interviewServiceUrl }: Pick<SandboxProcess, 'interviewServiceUrl'>,
  funnel: FunnelAccess,
  { withFiles, storeIn, upload }: BareOptions,
): Promise<number> {
  const dispatcher = new Agent({ pipelining: 1 });
  const queue: string[] = [];
  const start = performance.now();
  const workers: Promise<void>[] = [];
  let allRead = false;
  let stored = 0;
  let wake = Promise.withResolvers<void>();

  const work = async () => {
    while (queue.length > 0 || !allRead) {
      const url = queue.shift();
      if (!url) await wake.promise;
      else if (storeIn) {
        const path = join(storeIn, String(stored++));
        await downloadTo(path, url, dispatcher);
        await upload?.(path);
      } else await discard(url, dispatcher);
    }
  };
  const wakeAll = () => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  if (withFiles) workers.push(...Array.from({ length: FILES_AT_ONCE }, work));

  for (let page = 1, read = 0, total = 1; read < total; page += 1) {
    const url = `${interviewServiceUrl}/funnels/${funnel.funnelId}/interviews?page=${page}&limit=${PAGE_SIZE}`;
    const { body } = await request(url, { dispatcher, headers: { authorization: `Bearer ${funnel.apiKey}` } });
    const answer = (await body.json()) as Page;
    ({ total } = answer);
    read += answer.interviews.length;
    for (const { videoUrl, thumbnailUrl } of answer.interviews)
      queue.push(...[videoUrl, thumbnailUrl].filter((each) => each != null));
    wakeAll();
  }
  allRead = true;
  wakeAll();
  await Promise.all(workers);
  const took = performance.now() - start;
  await dispatcher.close();
  return took;
}

async function discard(url: string, dispatcher: Agent): Promise<void> {
  await stream(url, { method: 'GET', dispatcher }, () => new Writable({ write: (_chunk, _encoding, done) => done() }));
}

async function downloadTo(path: string, url: string, dispatcher: Agent): Promise<void> {
  await stream(url, { method: 'GET', dispatcher }, () => createWriteStream(`${path}.part`, { flush: true }));
  await rename(`${path}.part`, path);
}
