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

interface StoreOptions {
  /** A folder for the files. */
  storeIn?: string | undefined;
  /** Moves a downloaded file elsewhere. */
  upload?: ((path: string) => Promise<void>) | undefined;
}

interface BareOptions extends StoreOptions {
  withFiles: boolean;
}

/**
 * The minimum work of a refresh: reads the same pages in order, requests each page as soon as the
 * previous one has arrived, and downloads the same files with the same number of connections.
 * Without `storeIn` it discards them; with it, it flushes each file and renames it when it is
 * complete. Returns milliseconds.
 */
export async function bareRefresh(
  sandbox: Pick<SandboxProcess, 'interviewServiceUrl'>,
  funnel: FunnelAccess,
  { withFiles, ...store }: BareOptions,
): Promise<number> {
  const dispatcher = new Agent({ pipelining: 1 });
  const start = performance.now();
  const pages = fileUrls(sandbox, funnel, dispatcher);
  if (withFiles) await downloadAll(pages, { dispatcher, ...store });
  else for await (const _ of pages);
  const took = performance.now() - start;
  await dispatcher.close();
  return took;
}

/** Yields the file URLs of each page. */
async function* fileUrls(
  { interviewServiceUrl }: Pick<SandboxProcess, 'interviewServiceUrl'>,
  funnel: FunnelAccess,
  dispatcher: Agent,
): AsyncGenerator<string[]> {
  for (let page = 1, read = 0, total = 1; read < total; page += 1) {
    const url = `${interviewServiceUrl}/funnels/${funnel.funnelId}/interviews?page=${page}&limit=${PAGE_SIZE}`;
    const { body } = await request(url, { dispatcher, headers: { authorization: `Bearer ${funnel.apiKey}` } });
    const response = (await body.json()) as Page;
    ({ total } = response);
    read += response.interviews.length;
    yield response.interviews.flatMap(({ videoUrl, thumbnailUrl }) =>
      [videoUrl, thumbnailUrl].filter((each) => each != null),
    );
  }
}

/** Downloads the files of all pages while further pages are read. */
async function downloadAll(
  pages: AsyncIterable<string[]>,
  { dispatcher, storeIn, upload }: StoreOptions & { dispatcher: Agent },
): Promise<void> {
  const queue: string[] = [];
  let allRead = false;
  let stored = 0;
  let wake = Promise.withResolvers<void>();

  const downloadQueued = async () => {
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
  const workers = Array.from({ length: FILES_AT_ONCE }, downloadQueued);
  for await (const urls of pages) {
    queue.push(...urls);
    wakeAll();
  }
  allRead = true;
  wakeAll();
  await Promise.all(workers);
}

async function discard(url: string, dispatcher: Agent): Promise<void> {
  await stream(url, { method: 'GET', dispatcher }, () => new Writable({ write: (_chunk, _encoding, done) => done() }));
}

async function downloadTo(path: string, url: string, dispatcher: Agent): Promise<void> {
  await stream(url, { method: 'GET', dispatcher }, () => createWriteStream(`${path}.part`, { flush: true }));
  await rename(`${path}.part`, path);
}
