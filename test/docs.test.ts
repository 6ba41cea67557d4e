import { access, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { configurationPage } from '../scripts/docs/configuration-page.ts';
import { eventsPage } from '../scripts/docs/events-page.ts';
import { licensesPage } from '../scripts/docs/licenses-page.ts';
import { prometheusRule } from '../scripts/docs/prometheus-rule.ts';

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

test('docs/CONFIGURATION.md matches the code (update it with npm run docs)', async () => {
  expect(await read('docs/CONFIGURATION.md')).toBe(configurationPage());
});

test('docs/EVENTS.md matches the catalog (update it with npm run docs)', async () => {
  expect(await read('docs/EVENTS.md')).toBe(await eventsPage());
});

test('docs/LICENSES.md matches the lock file (update it with npm run docs)', async () => {
  expect(await read('docs/LICENSES.md')).toBe(await licensesPage());
});

test('the alerts for Kubernetes match rules.yaml (update them with npm run docs)', async () => {
  expect(await read('deploy/monitoring/prometheus-rule.yaml')).toBe(await prometheusRule());
});

test.each(['README.md', 'CONTRIBUTING.md', 'docs/SOURCES.md', 'docs/OPERATING.md'])(
  'every file and heading that %s links to exists',
  async (page) => {
    const links = [...(await read(page)).matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link]) => link ?? '');
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      const url = new URL(link, new URL(`../${page}`, import.meta.url));
      await expect(access(url)).resolves.toBeUndefined();
      if (url.hash) expect(headingsOf(await readFile(url, 'utf8')), link).toContain(url.hash.slice(1));
    }
  },
);

/** As GitHub names them. */
const headingsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

test('docs/ARCHITECTURE.md stays on two pages', async () => {
  expect((await read('docs/ARCHITECTURE.md')).split('\n').length).toBeLessThanOrEqual(120);
});
