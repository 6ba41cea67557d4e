import { expect, test } from 'vitest';
import { startApp } from '#support/start-app.ts';

test('security.txt names the configured contact, without a session, and expires within a year', async () => {
  const { anonymous } = await startApp({ jobs: false, env: { SECURITY_CONTACT: 'security@example.com' } });
  const response = await anonymous().request({ method: 'GET', url: '/.well-known/security.txt' });
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(response.headers['cache-control']).toBe('no-store');
  const fields = Object.fromEntries(
    response.body
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/).slice(0, 2)),
  );
  expect(fields).toMatchObject({ Contact: 'mailto:security@example.com', 'Preferred-Languages': 'en' });
  const days = (Date.parse(fields.Expires) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(100);
  expect(days).toBeLessThan(365);
});

test('without a contact security.txt does not exist', async () => {
  const { anonymous } = await startApp({ jobs: false });
  const response = await anonymous().request({ method: 'GET', url: '/.well-known/security.txt' });
  expect(response.statusCode).toBe(404);
});
