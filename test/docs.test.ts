import { access, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { configurationPage } from '../scripts/docs/configuration-page.ts';
import { licensesPage } from '../scripts/docs/licenses-page.ts';

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

test('docs/CONFIGURATION.md matches the code (update it with npm run docs)', async () => {
  expect(await read('docs/CONFIGURATION.md')).toBe(configurationPage());
});

test('docs/LICENSES.md matches the lock file (update it with npm run docs)', async () => {
  expect(await read('docs/LICENSES.md')).toBe(await licensesPage());
});

test('every file that the README links to exists', async () => {
  const links = [...(await read('README.md')).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path]) => path ?? '');
  expect(links.length).toBeGreaterThan(3);
  for (const path of links) await expect(access(new URL(`../${path}`, import.meta.url))).resolves.toBeUndefined();
});

test('docs/ARCHITECTURE.md stays on one page', async () => {
  expect((await read('docs/ARCHITECTURE.md')).split('\n').length).toBeLessThanOrEqual(80);
});
