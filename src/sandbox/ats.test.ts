import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from './start-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

describe('the application page', () => {
  test.each([
    ['ACME', '2026-07', ['ACME', '2026-07']],
    ['A/B', '<b>&"', ['A/B', '&#60;b&#62;&#38;&#34;']],
  ])('the application page of %s shows job %s, everything escaped', async (employerId, jobId, shown) => {
    const url = sandbox.destinationUrl
      .replace('{employerId}', encodeURIComponent(employerId))
      .replace('{jobId}', encodeURIComponent(jobId));
    const response = await fetch(url);
    const page = await response.text();
    expect(response.headers.get('content-type')).toContain('text/html');
    for (const text of shown) expect(page).toContain(`<dd>${text}</dd>`);
  });

  test('the application page is missing for an address without a job', async () => {
    expect((await fetch(`${sandbox.url}/ats/employers/ACME`)).status).toBe(404);
  });
});
