import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { getVideo, listInterviews } from '#contracts/interviews.ts';
import { type LogEntry, listLogs } from '#contracts/logs.ts';
import { convertInterview } from '#contracts/processing.ts';
import { EICAR } from '#sandbox/files/infected-video.ts';
import type { Person } from '#support/call.ts';
import { startClamd } from '#support/clamd.ts';
import { downloads, FUNNEL, filesIn, lastEntry, refresh, setUpRefresh } from '#support/refreshing.ts';
import type { TestApp } from '#support/start-app.ts';

const METRICS_TOKEN = 'a token of sixteen and more';
const REASON = 'Virus found (Eicar-Signature). The file was deleted.';

/** A product with a scanner, its active funnel's first video infected. */
async function setUp() {
  const clamd = await startClamd();
  const stage = await setUpRefresh({ CLAMD_ADDRESS: clamd.address, METRICS_TOKEN });
  const [one] = stage.sandbox.control.interviews(FUNNEL).filter(({ videoUrl }) => videoUrl);
  const infected = one?.id ?? '';
  return { ...stage, clamd, infected, path: `/media/infected/${infected}.mp4` };
}
type Stage = Awaited<ReturnType<typeof setUp>>;

const infect = ({ sandbox, infected, path }: Stage) =>
  sandbox.control.change(FUNNEL, infected, { videoUrl: sandbox.url + path });
const found = async (recruiter: Person): Promise<LogEntry[]> => {
  const { logs } = await recruiter.call(listLogs, { query: { type: 'error' } });
  return logs.filter(({ action }) => action === 'virus-found');
};

/** True when any file below the product's store contains the test virus. */
async function isStoredAnywhere({ dataDir }: TestApp): Promise<boolean> {
  const root = join(dataDir, 'files');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const contents = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
  return contents.some((content) => content.includes(EICAR));
}

describe('a refresh in which one video is infected', () => {
  test('a refresh in which one video is infected stores the others, keeps nothing of the infected one, and reports the reason', async () => {
    const stage = await setUp();
    const { sandbox, product, recruiter, infected, path } = stage;
    infect(stage);
    const status = await refresh(product, recruiter);
    expect(status).toMatchObject({ inProgress: false, error: null, message: expect.stringContaining(REASON) });
    expect(status.downloadedFiles).toBe(status.totalFiles - 1);
    expect(sandbox.requests.list(path)).toHaveLength(1);

    expect(await recruiter.call(getVideo, { params: { id: infected } })).toMatchObject({
      hasLocalCopy: false,
      videoFile: null,
    });
    expect(await isStoredAnywhere(product)).toBe(false);
    const { interviews } = await recruiter.call(listInterviews, { query: { limit: 100 } });
    const others = interviews.filter(({ id, videoUrl }) => videoUrl && id !== infected);
    expect(others.every(({ hasLocalCopy }) => hasLocalCopy)).toBe(true);
    expect(await filesIn(product, 'videos')).toHaveLength(others.length);
  });

  test('a refresh in which one video is infected is logged with the interview and the name of the virus, and counted', async () => {
    const stage = await setUp();
    const { product, recruiter, infected } = stage;
    infect(stage);
    await refresh(product, recruiter);
    expect(await found(recruiter)).toMatchObject([
      {
        type: 'error',
        status: 'error',
        summary: `Virus found in the video of interview ${infected} (Eicar-Signature). The file was deleted.`,
        metadata: { interviewId: infected, kind: 'video', virus: 'Eicar-Signature' },
      },
    ]);
    const { entry, metadata } = await lastEntry(recruiter);
    expect([entry.status, metadata.failedFiles]).toEqual(['warning', 1]);
    expect(entry.details).toMatchObject({
      failedDownloads: [{ interviewId: infected, kind: 'video', reason: REASON }],
    });
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const metrics = await product.app.inject({ url: '/metrics', headers });
    expect(metrics.body).toContain('interviews_upstream_errors_total{service="scanner",kind="rejected"} 1');
  });

  test('an infected video is downloaded at the next refresh once the service has a clean file', async () => {
    const stage = await setUp();
    const { sandbox, product, recruiter, infected } = stage;
    infect(stage);
    await refresh(product, recruiter);
    sandbox.control.change(FUNNEL, infected, { videoUrl: `${sandbox.url}/media/videos/${infected}/eng-types.mp4` });
    await refresh(product, recruiter);
    expect(await recruiter.call(getVideo, { params: { id: infected } })).toMatchObject({ hasLocalCopy: true });
    expect(await found(recruiter)).toHaveLength(1);
  });
});

test('a step that needs an infected video fails with the reason on its card', async () => {
  const stage = await setUp();
  const { product, recruiter, infected } = stage;
  infect(stage);
  await refresh(product, recruiter);
  await recruiter.call(convertInterview, { params: { id: infected } });
  await expect
    .poll(async () => {
      const { interviews } = await recruiter.call(listInterviews, { query: { limit: 100 } });
      return interviews.find(({ id }) => id === infected)?.processingStatus.youtube;
    })
    .toMatchObject({ status: 'failed', error: `Couldn't download the video: ${REASON}` });
});

describe('while the scanner', () => {
  test('while the scanner is unavailable, nothing is downloaded, and the next refresh downloads everything', async () => {
    const { sandbox, product, recruiter, clamd } = await setUp();
    await clamd.close();
    const status = await refresh(product, recruiter);
    expect(status).toMatchObject({ error: null, downloadedFiles: 0 });
    expect(status.message).toMatch(/files could not be downloaded: The virus scanner isn't responding/);
    expect(downloads(sandbox)).toEqual([]);

    await startClamd({ port: clamd.port });
    const again = await refresh(product, recruiter);
    expect(again.totalFiles).toBeGreaterThan(0);
    expect(again.downloadedFiles).toBe(again.totalFiles);
  });

  test('while the scanner breaks off, no file is accepted, and the next refresh downloads none of them again', async () => {
    const { sandbox, product, recruiter, clamd } = await setUp();
    clamd.mood = 'leaves';
    const { message, downloadedFiles } = await refresh(product, recruiter);
    expect([downloadedFiles, message]).toEqual([0, expect.stringContaining("The virus scanner isn't responding")]);
    expect(await filesIn(product, 'videos')).toEqual([]);
    const fetched = downloads(sandbox).length;
    expect(fetched).toBeGreaterThan(0);

    clamd.mood = 'scans';
    const again = await refresh(product, recruiter);
    expect([again.downloadedFiles, downloads(sandbox).length]).toEqual([again.totalFiles, fetched]);
  });

  test('while the scanner cannot scan files, none is accepted, and the reason is reported', async () => {
    const { product, recruiter, clamd } = await setUp();
    clamd.mood = 'error';
    const { message, downloadedFiles } = await refresh(product, recruiter);
    expect([downloadedFiles, message]).toEqual([0, expect.stringContaining("Can't allocate memory ERROR")]);
    expect(await filesIn(product, 'videos')).toEqual([]);
    expect(await found(recruiter)).toEqual([]);
  });
});
