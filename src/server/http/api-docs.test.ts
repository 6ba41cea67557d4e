import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { serveApiDocs } from './api-docs.ts';
import { buildApiDocs } from './api-docs-app.ts';
import type { App } from './app.ts';

test('documentation that could not be made is made at the next call, and then once', async () => {
  const app: App = Fastify();
  onTestFinished(() => app.close());
  let calls = 0;
  serveApiDocs(app, async (routes) => {
    calls += 1;
    if (calls === 1) throw new Error('No file may be opened any more.');
    return buildApiDocs(routes);
  });
  app.get('/api/something', () => 'something');
  const description = () => app.inject('/api/docs/json');

  expect((await description()).statusCode).toBe(500);
  const [second, third] = await Promise.all([description(), description()]);
  expect([second.statusCode, third.statusCode, calls]).toEqual([200, 200, 2]);
  expect(Object.keys(second.json().paths)).toContain('/api/something');
});
