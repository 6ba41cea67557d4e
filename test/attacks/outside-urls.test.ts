import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { getVideo, listInterviews } from '#contracts/interviews.ts';
import type { ServiceInterview } from '#sandbox/interview.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import { type Attempt, surprises } from '#support/attempts.ts';
import { FUNNEL, filesIn, refresh, setUpRefresh } from '#support/refreshing.ts';

/** A server next to the product that has a secret file and redirects to any URL. */
async function startNeighbor() {
  const requested: string[] = [];
  const respond = ({ url = '' }: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(url, 'http://neighbor');
    const to = searchParams.get('to');
    if (pathname === '/redirect' && to) return void response.writeHead(302, { location: to }).end();
    requested.push(url);
    response.writeHead(200, { 'content-type': 'video/mp4' }).end('\0\0\0\x18ftypmp42 the secret');
  };
  const server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, requested };
}

/** URLs that reach `http://127.0.0.1:port/` or other places that must not be fetched. */
const hostileUrls = (port: number): string[] => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    'localhost.',
    'x@127.0.0.1',
    'LOCALHOST%2e',
  ];
  const path = '/secret.mp4';
  const here = hosts.map((host) => `http://${host}:${port}${path}`);
  const redirected = [
    `http://127.0.0.1:${port}${path}`,
    `//[::1]:${port}${path}`,
    'http://169.254.169.254/latest/',
    'file:///etc/passwd',
  ];
  return [
    ...here,
    ...redirected.map((to) => `http://localhost:${port}/redirect?to=${encodeURIComponent(to)}`),
    `http://localhost:${port}/redirect?to=${encodeURIComponent(`http://localhost:${port}/redirect?to=${encodeURIComponent(`http://127.0.0.1:${port}${path}`)}`)}`,
    'http://169.254.169.254/latest/meta-data/iam/security-credentials/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://100.100.100.200/latest/meta-data/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'file:///etc/passwd',
    'ftp://127.0.0.1/secret',
    'gopher://127.0.0.1:6379/_FLUSHALL',
    'data:video/mp4;base64,AAAA',
    'blob:http://127.0.0.1/x',
    'javascript:alert(1)',
    'unix:/var/run/docker.sock',
    '\\\\127.0.0.1\\share',
  ];
};

const interviewAt = (index: number, videoUrl: string): ServiceInterview => ({
  id: `hostile-${index}`,
  title: `Hostile ${index}`,
  createdAt: '2026-01-01T00:00:00Z',
  recordedAt: '2026-01-01T00:00:00Z',
  videoUrl,
  thumbnailUrl: videoUrl,
});

test('no URL of a video or thumbnail reaches this machine, its networks, its files or cloud metadata', async () => {
  const neighbor = await startNeighbor();
  // The name is allowed, like an internal file server, but the targets of its redirects are not.
  const { sandbox, product, recruiter } = await setUpRefresh({ ALLOW_PRIVATE_HOSTS: 'localhost' });
  for (const { id } of sandbox.control.interviews(FUNNEL)) sandbox.control.remove(FUNNEL, id);
  const urls = hostileUrls(neighbor.port);
  sandbox.control.add(FUNNEL, ...urls.map((url, index) => interviewAt(index, url)));

  const status = await refresh(product, recruiter);
  expect(status).toMatchObject({ error: null, processed: urls.length });
  const { interviews } = await recruiter.call(listInterviews, { query: { limit: 100 } });
  const table = urls.map((url, index): Attempt => {
    const interview = interviews.find(({ id }) => id === `hostile-${index}`);
    const seen = interview && !interview.hasLocalCopy && !interview.thumbnailFile ? 'no file' : 'stored';
    return { attempt: url, expected: 'no file', seen };
  });
  expect(surprises(table)).toEqual([]);
  // Browsers get only URLs of the allowed host, and thumbnails from us.
  for (const { id, videoUrl, thumbnailUrl } of interviews) {
    const { videoUrl: played } = await recruiter.call(getVideo, { params: { id } });
    for (const url of [videoUrl, played]) if (url !== null) expect(new URL(url).hostname).toBe('localhost');
    if (thumbnailUrl !== null) expect(thumbnailUrl).toBe(`/api/interviews/${id}/thumbnail`);
    const url = `/api/interviews/${id}/thumbnail`;
    expect((await recruiter.request({ method: 'GET', url })).statusCode).toBe(404);
  }
  expect(neighbor.requested).toEqual([]);
  expect(await filesIn(product, 'videos')).toEqual([]);
});

/** An interview at each URL, once at Hireflix and once at VideoAsk. */
function addToVendors({ control }: Sandbox, urls: readonly string[]): void {
  const recordedAt = Date.UTC(2026, 0, 1);
  for (const [index, url] of urls.entries()) {
    const id = `vendor-${index}`;
    const questions = ['a', 'b'].map((name) => ({ id: name, title: name, answer: { id: `${id}-${name}`, url } }));
    control.hireflix.add({ id: `hfx-${id}`, status: 'completed', createdAt: recordedAt, thumbnail: url, questions });
    const updated_at = new Date(recordedAt).toISOString();
    control.videoask.add(
      { contact_id: `va-${id}`, status: 'completed', updated_at, thumbnail: url },
      ...['vq_1', 'vq_3'].map((question_id) => ({
        answer_id: `${id}-${question_id}`,
        contact_id: `va-${id}`,
        question_id,
        type: 'video',
        media_type: 'video',
        media_url: url,
      })),
    );
  }
}

test('no URL in responses of Hireflix and VideoAsk reaches them either', async () => {
  const neighbor = await startNeighbor();
  const { sandbox, product, recruiter } = await setUpRefresh({ ALLOW_PRIVATE_HOSTS: 'localhost' });
  const urls = hostileUrls(neighbor.port);
  addToVendors(sandbox, urls);
  const { hireflix, videoask } = sandbox;
  for (const form of [
    { source: 'hireflix' as const, apiKey: hireflix.apiKey, funnelId: hireflix.positionId },
    { source: 'videoask' as const, apiKey: videoask.organization, funnelId: videoask.formId },
  ]) {
    await product.build.activeFunnel(recruiter, form);
    const { processed, error } = await refresh(product, recruiter);
    expect([form.source, error, processed >= urls.length]).toEqual([form.source, null, true]);
  }
  expect(neighbor.requested).toEqual([]);
  expect([await filesIn(product, 'videos'), await filesIn(product, 'thumbnails')]).toEqual([[], []]);
});

test('a URL that browsers must not open is never sent to them', async () => {
  const { sandbox, product, recruiter } = await setUpRefresh();
  for (const { id } of sandbox.control.interviews(FUNNEL)) sandbox.control.remove(FUNNEL, id);
  const urls = [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    'file:///etc/passwd',
  ];
  sandbox.control.add(FUNNEL, ...urls.map((url, index) => ({ ...interviewAt(index, url), url })));
  await refresh(product, recruiter);
  const { interviews } = await recruiter.call(listInterviews, { query: {} });
  expect(interviews).toHaveLength(urls.length);
  for (const { id, videoUrl, thumbnailUrl, originalUrl } of interviews) {
    expect([id, videoUrl, thumbnailUrl, originalUrl]).toEqual([id, null, null, null]);
    expect((await recruiter.call(getVideo, { params: { id } })).videoUrl).toBeNull();
  }
});

test('an interview whose id is a path writes only inside the store', async () => {
  const { sandbox, product, recruiter } = await setUpRefresh();
  const [good] = sandbox.control.interviews(FUNNEL);
  for (const { id } of sandbox.control.interviews(FUNNEL)) sandbox.control.remove(FUNNEL, id);
  const ids = [
    '../../../../escaped',
    '..\\..\\escaped',
    '/etc/escaped',
    '.',
    '..',
    '%2e%2e%2fescaped',
    'a/../../b',
    'CON',
    'x'.repeat(200),
  ];
  sandbox.control.add(FUNNEL, ...ids.map((id): ServiceInterview => ({ ...good, id })));
  expect(await refresh(product, recruiter)).toMatchObject({ error: null, processed: ids.length });

  const { interviews } = await recruiter.call(listInterviews, { query: {} });
  expect(interviews.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  const named = interviews.map(({ videoFile }) => videoFile ?? '');
  for (const name of named) expect(name).toMatch(/^[\w-][\w.-]*\.\w+$/);
  expect((await filesIn(product, 'videos')).toSorted()).toEqual(named.toSorted());
  for (const name of named) {
    expect((await recruiter.request({ method: 'GET', url: `/api/files/video/${name}` })).statusCode).toBe(200);
  }
});
