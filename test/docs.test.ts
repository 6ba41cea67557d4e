import { access, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { GENERATED, generate } from '../scripts/docs/generate.ts';

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

test.each(GENERATED)('%s matches its sources (update it with npm run docs)', async (file) => {
  expect(await read(file)).toBe(await generate(file));
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

test('every name and file in the walks of docs/ARCHITECTURE.md is in the code', async () => {
  const [, walks = ''] = (await read('docs/ARCHITECTURE.md')).split('## Three walks');
  const names = new Set(walks.match(/\b(?:[A-Z]?[a-z]+(?:[A-Z][a-z]+)+|[a-z-]+(?:\.[a-z]+)?\.ts)\b/g));
  expect(names.size).toBeGreaterThan(40);
  const src = fileURLToPath(new URL('../src/', import.meta.url));
  const files = (await readdir(src, { recursive: true })).filter((file) => /(?<!\.test)\.tsx?$/.test(file));
  const code = await Promise.all(files.map((file) => readFile(join(src, file), 'utf8')));
  const known = new Set([...files.map((file) => basename(file)), ...code.flatMap((text) => text.match(/\w+/g) ?? [])]);
  expect([...names].filter((name) => !known.has(name))).toEqual([]);
});
