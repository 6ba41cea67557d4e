import { glob, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_SOURCE, FUNNEL_SOURCES, SOURCES } from '#contracts/sources.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PRODUCT = ['src/contracts/**/*.ts', 'src/server/**/*.{ts,mjs,sql}', 'src/web/**/*.{ts,tsx}'];
const TESTS = /\.test\.tsx?$|\/testing\//;
/** Migrations contain the constraint of the column. */
const ROOMS = /^src\/(contracts\/sources\.ts$|server\/(sources|db\/migrations)\/)/;
const UPLOADS = /^src\/(server|web)\/features\/uploads\//;

const VENDORS = FUNNEL_SOURCES.filter((source) => SOURCES[source].isRefreshed && source !== DEFAULT_SOURCE);
const VENDOR = new RegExp(VENDORS.join('|'), 'i');
const NAME = `['"](${FUNNEL_SOURCES.join('|')})['"]`;
const COMPARISON = new RegExp(
  [`(?:[!=]==?|<>|\\bsource =|\\bcase) *${NAME}`, `${NAME} *(?:[!=]==?|<>)`, `includes\\(${NAME}`].join('|'),
);

/** Returns a message for each rule that the file breaks. */
function violations(path: string, text: string): string[] {
  if (TESTS.test(path) || ROOMS.test(path)) return [];
  const vendor = VENDOR.exec(text)?.[0];
  const comparison = COMPARISON.exec(text)?.[0];
  return [
    ...(vendor ? [`names ${vendor}`] : []),
    ...(comparison && !UPLOADS.test(path) ? [`compares a source: ${comparison}`] : []),
  ];
}

const PLANTED: [rule: string, path: string, text: string, message: string][] = [
  ['a vendor in a service', 'src/server/features/sync/sync.service.ts', '/** As VideoAsk does. */', 'names VideoAsk'],
  ['a vendor in a form', 'src/web/features/funnels/funnel-card.tsx', "{ hireflix: 'Your key' }", 'names hireflix'],
  ['a variable of a vendor', 'src/server/config/cleartext.ts', "'HIREFLIX_URL',", 'names HIREFLIX'],
  [
    'a branch in the browser',
    'src/web/features/funnels/funnel-card.tsx',
    "{funnel.source !== 'upload' && <Refresh />}",
    "compares a source: !== 'upload'",
  ],
  [
    'a branch on the default source',
    'src/server/features/sync/announced-source.ts',
    "if ('rest' === access.source) return;",
    "compares a source: 'rest' ===",
  ],
  [
    'a branch in SQL',
    'src/server/features/automation/automation.repo.ts',
    "sql`WHERE f.source <> 'upload'`",
    "compares a source: <> 'upload'",
  ],
  [
    'a list of sources',
    'src/server/features/operations/setup.ts',
    "sources.includes('rest')",
    "compares a source: includes('rest'",
  ],
];

describe('the check of names of sources', () => {
  test.each(PLANTED)('the check of names of sources finds %s', (_, path, text, message) => {
    expect(violations(path, text)).toEqual([message]);
  });

  test('the rooms of sources and of uploads may compare them', () => {
    expect(violations('src/server/sources/hireflix/hireflix.ts', "name: 'hireflix'")).toEqual([]);
    expect(violations('src/server/features/uploads/upload-folder.ts', "source === 'upload'")).toEqual([]);
  });

  test('no other file names a vendor or compares a source', async () => {
    const found: string[] = [];
    let files = 0;
    for await (const file of glob(PRODUCT, { cwd: ROOT })) {
      const path = file.replaceAll('\\', '/');
      files += 1;
      found.push(...violations(path, await readFile(join(ROOT, file), 'utf8')).map((message) => `${path} ${message}`));
    }
    expect(files).toBeGreaterThan(500);
    expect(found).toEqual([]);
  });
});
