import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Agent, request, stream } from 'undici';
import type { FunnelAccess, SandboxProcess } from './sandbox-process.ts';

const PAGE_SIZE = 100;
/** As many files at once as the product fetches unless told otherwise. */
const FILES_AT_ONCE = 6;

interface Page {
  interviews: { videoUrl?: string | null; thumbnailUrl?: string | null }[];
  total: number;
}

/**
 * The least that a refresh can do: reads the same pages one after the other, the next one asked for as soon as one is there, fetches the
 * same files beside them with the same number of connections, and throws everything away, or stores the files durably and under their
 * names only when they are whole. Resolves with the milliseconds it took.
 */
export async function bareRefresh(
  { interviewServiceUrl }: Pick<SandboxProcess, 'interviewServiceUrl'>,
  funnel: FunnelAccess,
  { withFiles, storeIn }: { withFiles: boolean; storeIn?: string },
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
      if (url)
        await (storeIn ? fetchInto(join(storeIn, String(stored++)), url, dispatcher) : fetchAway(url, dispatcher));
      else await wake.promise;
    }
  };
  const tell = () => {
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
    tell();
  }
  allRead = true;
  tell();
  await Promise.all(workers);
  const took = performance.now() - start;
  await dispatcher.close();
  return took;
}

async function fetchAway(url: string, dispatcher: Agent): Promise<void> {
  await stream(url, { method: 'GET', dispatcher }, () => new Writable({ write: (_chunk, _encoding, done) => done() }));
}

async function fetchInto(path: string, url: string, dispatcher: Agent): Promise<void> {
  await stream(url, { method: 'GET', dispatcher }, () => createWriteStream(`${path}.part`, { flush: true }));
  await rename(`${path}.part`, path);
}
