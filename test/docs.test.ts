import { access, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { configurationDocs } from '../scripts/configuration-docs/configuration-docs.ts';
import { licencesPage } from '../scripts/packages/licences-page.ts';

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

test('docs/CONFIGURATION.md lists every variable as the code reads it (npm run docs writes it anew)', async () => {
  expect(await read('docs/CONFIGURATION.md')).toBe(configurationDocs());
});

test('docs/LICENSES.md lists every package that is shipped (npm run docs writes it anew)', async () => {
  expect(await read('docs/LICENSES.md')).toBe(await licencesPage());
});

test('the files that the README links to are there', async () => {
  const links = [...(await read('README.md')).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path]) => path ?? '');
  expect(links.length).toBeGreaterThan(3);
  for (const path of links) await expect(access(new URL(`../${path}`, import.meta.url))).resolves.toBeUndefined();
});

test('docs/ARCHITECTURE.md stays on one page', async () => {
  expect((await read('docs/ARCHITECTURE.md')).split('\n').length).toBeLessThanOrEqual(80);
});
