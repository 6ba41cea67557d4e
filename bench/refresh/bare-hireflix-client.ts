import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { INTERVIEWS_OF_POSITION } from '#server/adapters/interview-source-hireflix/documents.ts';
import { downloadAll } from './bare-client.ts';
import type { SandboxProcess } from './sandbox-process.ts';

/** The page size of the product. */
const PAGE_SIZE = 50;

interface ListResponse {
  data: {
    position: {
      interviewList: {
        results: { thumbnail?: string | null; questions?: { answer?: { url?: string | null } | null }[] }[];
        lastCursor: string | null;
      };
    };
  };
}

/**
 * Reads the pages of a position with the query of the product, requests each page as soon as the
 * previous one has arrived, and downloads the same files with the same number of connections. It
 * flushes each file, renames it when it is complete, and joins nothing. Returns milliseconds.
 */
export async function bareHireflixRefresh({ hireflix }: Pick<SandboxProcess, 'hireflix'>): Promise<number> {
  const dispatcher = new Agent({ pipelining: 1 });
  const storeIn = await mkdtemp(join(tmpdir(), 'bench-bare-'));
  try {
    const start = performance.now();
    await downloadAll(fileUrls(hireflix, dispatcher), { dispatcher, storeIn });
    return performance.now() - start;
  } finally {
    await dispatcher.close();
    await rm(storeIn, { recursive: true, force: true });
  }
}

/** Reads the list without files. */
export async function bareHireflixList({ hireflix }: Pick<SandboxProcess, 'hireflix'>): Promise<number> {
  const dispatcher = new Agent({ pipelining: 1 });
  const start = performance.now();
  for await (const _ of fileUrls(hireflix, dispatcher));
  const took = performance.now() - start;
  await dispatcher.close();
  return took;
}

/** Yields the addresses of the files of each page, until a page is empty. */
async function* fileUrls({ url, funnel }: SandboxProcess['hireflix'], dispatcher: Agent): AsyncGenerator<string[]> {
  for (let cursor: string | null = null; ; ) {
    const variables = { position: funnel.funnelId, limit: PAGE_SIZE, cursor };
    const { body } = await request(`${url}/me`, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': funnel.apiKey },
      body: JSON.stringify({ query: INTERVIEWS_OF_POSITION[0], variables }),
    });
    const { data } = (await body.json()) as ListResponse;
    const { results, lastCursor } = data.position.interviewList;
    if (results.length === 0) return;
    yield results.flatMap(({ thumbnail, questions }) =>
      [thumbnail, ...(questions ?? []).map(({ answer }) => answer?.url)].filter((file) => file != null),
    );
    cursor = lastCursor;
  }
}
