import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readPage } from './read-page.ts';
import { type Sandbox, startSandbox } from './start-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

/** Calls the control interface as in a demonstration. */
async function call(line: string, body?: unknown) {
  const [method = '', path = ''] = line.split(' ');
  const response = await fetch(`${sandbox.url}/control${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // Each test knows the type that it requested.
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

test('faults are set, listed and ended over HTTP', async () => {
  const { body } = await call('POST /faults', { kind: 'status', status: 503 });

  await expect(readPage(sandbox, 'nursing')).rejects.toThrow('503');
  expect((await call('GET /faults')).body).toMatchObject([{ id: body.id, hits: 1, fault: { status: 503 } }]);
  expect((await call(`DELETE /faults/${body.id}`)).body).toEqual({ removed: true });
  expect(await readPage(sandbox, 'nursing')).toMatchObject({ total: 8 });
});

test('an invalid fault is rejected with a reason', async () => {
  const { status, body } = await call('POST /faults', { kind: 'status', status: 200 });
  expect([status, body.message]).toEqual([400, expect.stringContaining('status')]);
});

test('interviews are added, changed, removed and grown over HTTP', async () => {
  await call('POST /funnels/nursing/interviews', { id: 'one', title: 'One' });
  await call('PATCH /funnels/nursing/interviews/one', { title: 'Other' });
  await call('DELETE /funnels/nursing/interviews/iv_nursing_001');
  await call('POST /funnels/nursing/grow', { count: 5, videoBytes: 1000 });

  const { interviews, total } = await readPage(sandbox, 'nursing');
  expect(total).toBe(8 + 1 - 1 + 5);
  expect(interviews.find(({ id }) => id === 'one')?.title).toBe('Other');
  await call('POST /reset');
  expect(await readPage(sandbox, 'nursing')).toMatchObject({ total: 8 });
});

test('the journal is read and cleared over HTTP and omits control calls', async () => {
  await readPage(sandbox, 'nursing');
  expect((await call('GET /requests')).body).toHaveLength(1);
  expect((await call('GET /counters')).body).toMatchObject({ requests: 1 });
  await call('DELETE /requests');
  expect((await call('GET /requests')).body).toEqual([]);
});

test('GET /control lists all calls, and unknown calls point to it', async () => {
  expect((await call('GET ')).body.calls).toContain('POST /control/faults');
  const { status, body } = await call('GET /nothing');
  expect([status, body.message]).toEqual([404, expect.stringContaining('GET /control lists all calls.')]);
});

test('closing ends hanging connections', async () => {
  const other = await startSandbox();
  other.control.fail({ kind: 'hang' });
  const refused = expect(readPage(other, 'nursing')).rejects.toThrow();
  await expect.poll(() => other.requests.counters().requests).toBe(1);
  await other.close();
  await refused;
});
