import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { request, stream } from 'undici';
import { temporaryFolder } from '../../scripts/steps/workspace.ts';
import { timed } from '../measure.ts';
import type { SandboxProcess } from './sandbox-process.ts';

const PAGE_SIZE = 100;
/** The product's default. */
const FILES_AT_ONCE = 6;

interface Page {
  interviews: { videoUrl?: string | null; thumbnailUrl?: string | null }[];
  total: number;
}

/**
 * The minimum work of a refresh: reads the same pages in order, and requests each page as soon as
 * the previous one has arrived. `download` receives the file URLs. Returns milliseconds.
 */
export async function bareRefresh(sandbox: SandboxProcess, download?: (url: string) => Promise<void>): Promise<number> {
  const downloads = new PQueue({ concurrency: FILES_AT_ONCE });
  const files: Promise<void>[] = [];
  return await timed(async () => {
    for await (const urls of fileUrls(sandbox))
      if (download) files.push(...urls.map((url) => downloads.add(() => download(url))));
    await Promise.all(files);
  });
}

/**
 * Downloads the same files as the product with the same number of connections, flushes each file
 * and renames it when it is complete, in a folder that is deleted afterwards. `upload` moves a
 * downloaded file elsewhere.
 */
export async function bareRefreshStoring(
  sandbox: SandboxProcess,
  upload?: (path: string) => Promise<void>,
): Promise<number> {
  await using folder = await temporaryFolder('bare');
  let stored = 0;
  return await bareRefresh(sandbox, async (url) => {
    const path = join(folder.path, String(stored++));
    await stream(url, { method: 'GET' }, () => createWriteStream(`${path}.part`, { flush: true }));
    await rename(`${path}.part`, path);
    await upload?.(path);
  });
}

/** Yields the file URLs of each page. */
async function* fileUrls({ interviewServiceUrl, funnel }: SandboxProcess): AsyncGenerator<string[]> {
  for (let page = 1, read = 0, total = 1; read < total; page += 1) {
    const url = `${interviewServiceUrl}/funnels/${funnel.funnelId}/interviews?page=${page}&limit=${PAGE_SIZE}`;
    const { body } = await request(url, { headers: { authorization: `Bearer ${funnel.apiKey}` } });
    const response = (await body.json()) as Page;
    ({ total } = response);
    read += response.interviews.length;
    yield response.interviews.flatMap(({ videoUrl, thumbnailUrl }) =>
      [videoUrl, thumbnailUrl].filter((each) => each != null),
    );
  }
}
