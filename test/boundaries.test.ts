import { execFile } from 'node:child_process';
import { glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { boundariesCommand } from '../scripts/steps/check-steps.ts';
import { tool } from '../scripts/steps/run-steps.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** Each file breaks one rule. */
const PLANTED: Record<string, readonly [rule: string, source: string]> = {
  'src/contracts/reads-a-file.ts': ['contracts-stand-alone', `import 'node:fs';`],
  'src/contracts/knows-a-view.ts': [
    'contracts-stand-alone',
    `import type { Row } from '#server/features/funnels/funnels.view.ts';`,
  ],
  'src/web/asks-the-server.tsx': [
    'web-knows-contracts-only',
    `import type { Row } from '#server/features/funnels/funnels.view.ts'; export const A = () => <b>x</b>;`,
  ],
  'src/web/lib/draws.ts': ['web-lib-at-the-bottom', `import '#web/ui/button.tsx';`],
  'src/web/ui/knows-a-page.tsx': ['web-ui-without-features', `import '#web/features/session/session.ts';`],
  'src/web/features/logs/knows-the-shell.ts': ['web-features-below-app', `import '#web/app/shell.tsx';`],
  'src/web/features/logs/borrows.ts': [
    'web-features-meet-through-public-files',
    `import '#web/features/session/login-page.tsx';`,
  ],
  'src/sandbox/peeks.ts': [
    'sandbox-knows-contracts-only',
    `export const load = () => import('#server/db/database.ts');`,
  ],
  'src/server/http/tries-out.ts': ['product-without-sandbox', `import '#sandbox/main.ts';`],
  'src/server/ports/with-library.ts': ['ports-speak-our-words', `import 'pino';`],
  'src/server/adapters/one/reads-rows.ts': ['adapters-know-ports-only', `import '#server/db/database.ts';`],
  'src/server/features/funnels/picks.ts': [
    'only-compose-picks-adapters',
    `export type Store = import('#server/adapters/one/store.ts').Store;`,
  ],
  'src/server/sources/one/reads-rows.ts': ['sources-know-ports-only', `import '#server/db/database.ts';`],
  'src/server/sources/one/borrows.ts': ['sources-keep-apart', `import '../two/two.ts';`],
  'src/server/features/funnels/knows-a-vendor.ts': [
    'only-compose-and-config-read-sources',
    `export const load = () => import('#server/sources/two/two.ts');`,
  ],
  'src/server/features/sync/borrows.ts': [
    'features-meet-through-services',
    `import type { Row } from '../funnels/funnels.view.ts';`,
  ],
  'src/server/features/funnels/tells-browsers.ts': ['only-events-announce', `import '#server/live/announce.ts';`],
  'src/server/features/logs/writes-entries.ts': ['only-events-write-log-entries', `import './write-entry.ts';`],
  'src/server/features/sync/sync.routes.ts': ['routes-translate-only', `import './sync.repo.ts';`],
  'src/server/features/sync/replies.ts': ['only-routes-know-http', `import type { App } from '#server/http/app.ts';`],
  'src/server/jobs/runs-sync.ts': ['infrastructure-below-features', `import '#server/features/sync/sync.service.ts';`],
  'src/server/db/answers.ts': ['database-at-the-bottom', `export * from '#server/http/app.ts';`],
  'src/server/live/answers.ts': ['jobs-and-live-without-http', `import '#server/http/app.ts';`],
  'src/server/features/sync/configures-itself.ts': [
    'configuration-is-handed-over',
    `import '#server/config/config.ts';`,
  ],
  'src/server/features/sync/starts-all.ts': ['compose-below-main-only', `import '#server/compose.ts';`],
  'src/server/http/starts-all.ts': ['nothing-above-main', `import '#server/server.ts';`],
  'src/server/http/uses-a-test.ts': ['tests-stay-out', `import '#support/call.ts';`],
  'src/server/http/uses-a-tool.ts': ['server-runs-without-tools', `import 'fast-check';`],
  'src/server/http/is-lost.ts': ['imports-resolve', `import './nowhere.ts';`],
  'src/contracts/left.ts': ['no-cycles', `import type { Right } from './right.ts'; export type Left = Right;`],
};

/** Imports that every rule allows, and the files that the planted ones import. */
const SOUND: Record<string, string> = {
  'src/contracts/right.ts': `import type { Left } from './left.ts'; export type Right = Left;`,
  'src/contracts/funnels.ts': `import { z } from 'zod'; export const Funnel = z.object({});`,
  'src/web/main.tsx': `import { Funnel } from '#contracts/funnels.ts'; import 'react'; export const A = () => <b>{Funnel}</b>;`,
  'src/web/lib/cn.ts': `import '#contracts/funnels.ts';`,
  'src/web/ui/button.tsx': `import '#web/lib/cn.ts';`,
  'src/web/features/session/session.ts': `import '#web/ui/button.tsx';`,
  'src/web/features/session/login-page.tsx': `import './session.ts';`,
  'src/web/features/logs/logs-page.tsx': `import '#web/features/session/session.ts';`,
  'src/web/app/shell.tsx': `import '#web/features/session/login-page.tsx'; import '#web/features/logs/logs-page.tsx';`,
  'src/sandbox/main.ts': `import '#contracts/funnels.ts';`,
  'src/server/server.ts': `import './compose.ts'; import './compose-events.ts'; import './config/config.ts';`,
  'src/server/compose-events.ts': `import './features/logs/write-entry.ts';`,
  'src/server/compose.ts': `import './adapters/one/store.ts'; import './features/sync/sync.service.ts'; await using a = null;`,
  'src/server/config/config.ts': `import '#server/sources/sources.ts';`,
  'src/server/db/database.ts': `import 'pg';`,
  'src/server/http/app.ts': `import 'fastify';`,
  'src/server/ports/store.ts': `import type { Readable } from 'node:stream'; export type Store = Readable;`,
  'src/server/adapters/one/store.ts': `export type { Store } from '#server/ports/store.ts';`,
  'src/server/adapters/outside-http/retry.ts': `export {};`,
  'src/server/config/values.ts': `export {};`,
  'src/server/sources/client.ts': `import '#server/adapters/outside-http/retry.ts';`,
  'src/server/sources/two/two.ts': `import '../client.ts'; import '#server/config/values.ts';`,
  'src/server/sources/sources.ts': `import './two/two.ts';`,
  'src/server/features/funnels/funnels.view.ts': `export type Row = 1;`,
  'src/server/features/funnels/funnels.service.ts': `import '#server/ports/store.ts'; import './funnels.view.ts';`,
  'src/server/features/funnels/funnels.routes.ts': `import './funnels.service.ts'; import '#server/http/app.ts';`,
  'src/server/live/announce.ts': `export {};`,
  'src/server/features/logs/write-entry.ts': `import '#server/live/announce.ts';`,
  'src/server/features/sync/sync.repo.ts': `import '#server/db/database.ts';`,
  'src/server/features/sync/sync.service.ts': `import './sync.repo.ts'; import '../funnels/funnels.service.ts';`,
  'src/server/features/sync/sync.test.ts': `import '#support/call.ts'; import '#server/adapters/one/store.ts';`,
  'test/support/call.ts': `export {};`,
};

interface Report {
  violations: { from: string; rule: { name: string } }[];
  ruleSetUsed: { forbidden: { name: string; comment: string }[] };
}

/** Runs `use` in a temporary folder with these files and the installed packages. */
async function inFolder<T>(files: Record<string, string>, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'boundaries-'));
  try {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    for (const [path, source] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), source);
    }
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const runHere = (folder: string, args: readonly string[]) =>
  new Promise<string>((printed) => {
    execFile(process.execPath, [...args], { cwd: folder, maxBuffer: 1e8 }, (_, stdout, stderr) =>
      printed(stdout || stderr),
    );
  });

/** Runs the check of `npm run check` on these files. */
async function check(files: Record<string, string>): Promise<Report> {
  const manifest = await readFile(join(ROOT, 'package.json'), 'utf8');
  const report = await inFolder({ ...files, 'package.json': manifest }, (folder) =>
    runHere(folder, boundariesCommand('json')),
  );
  return JSON.parse(report).summary;
}

describe('the check of imports', () => {
  const planted = Object.entries(PLANTED).map(([file, [rule, source]]) => ({ file, rule, source }));
  let report: Report;

  beforeAll(async () => {
    report = await check({ ...SOUND, ...Object.fromEntries(planted.map(({ file, source }) => [file, source])) });
  });

  test.each(planted)('the check of imports finds $rule in $file', ({ file, rule }) => {
    const found = report.violations.filter(({ from }) => from === file);
    expect(found.map((violation) => violation.rule.name)).toContain(rule);
  });

  test('the check of imports has a planted violation and a fix for every rule', () => {
    const tried = new Set(planted.map(({ rule }) => rule));
    for (const { name, comment } of report.ruleSetUsed.forbidden) {
      expect(tried, name).toContain(name);
      expect(comment, name).toMatch(/\.$/);
    }
  });

  test('the check of imports reports nothing for allowed imports', async () => {
    const { 'src/contracts/right.ts': _, ...sound } = SOUND;
    expect((await check(sound)).violations).toEqual([]);
  });
});

/**
 * The features that import each other in a circle, which the check of imports finds only between
 * files.
 */
function featuresInCircles(files: Record<string, string>): string[] {
  const imports = new Map<string, Set<string>>();
  for (const [path, source] of Object.entries(files)) {
    const [, feature] = /^src\/server\/features\/([^/]+)\//.exec(path) ?? [];
    if (feature === undefined || path.endsWith('.test.ts')) continue;
    const imported = [...source.matchAll(/'#server\/features\/([^/]+)\//g)].map(([, other = '']) => other);
    const others = imported.filter((other) => other !== feature);
    imports.set(feature, new Set(others).union(imports.get(feature) ?? new Set()));
  }
  const reachable = (from: string, found = new Set<string>()): Set<string> => {
    for (const next of imports.get(from) ?? []) if (!found.has(next)) reachable(next, found.add(next));
    return found;
  };
  return [...imports.keys()].filter((feature) => reachable(feature).has(feature)).sort();
}

describe('features', () => {
  test('a circle of features is found', () => {
    const circle = {
      'src/server/features/media/media.service.ts': `import type { A } from '#server/features/interviews/a.service.ts';`,
      'src/server/features/interviews/a.service.ts': `import '#server/features/interviews/segments/b.service.ts';`,
      'src/server/features/interviews/segments/b.service.ts': `import '#server/features/media/media.service.ts';`,
      'src/server/features/sync/sync.service.ts': `import '#server/features/media/media.service.ts';`,
    };
    expect(featuresInCircles(circle)).toEqual(['interviews', 'media']);
  });

  test('no features import each other in a circle', async () => {
    const files: Record<string, string> = {};
    for await (const path of glob('src/server/features/**/*.ts', { cwd: ROOT }))
      files[path] = await readFile(join(ROOT, path), 'utf8');
    expect(Object.keys(files).length).toBeGreaterThan(100);
    expect(featuresInCircles(files)).toEqual([]);
  });
});

/** Lints a file with the settings of `npm run check` and returns the report. */
async function lint(file: string, source: string): Promise<string> {
  const settings = JSON.parse(await readFile(join(ROOT, 'biome.json'), 'utf8'));
  const files = { [file]: source, 'biome.json': JSON.stringify({ ...settings, vcs: { enabled: false } }) };
  const command = [tool('@biomejs/biome/bin/biome'), 'lint', '--reporter=json', 'src'];
  return inFolder(files, (folder) => runHere(folder, command));
}

describe('the service of a feature', () => {
  test.each([
    ["export * as runs from './runs.repo.ts';", 'noBarrelFile'],
    ["export * from './runs.repo.ts';", 'noBarrelFile'],
    ["export { listRuns } from './runs.repo.ts';", 'noBarrelFile'],
    ["import { listRuns } from './runs.repo.ts'; export { listRuns };", 'noExportedImports'],
  ])('must not re-export functions of its repository: %s', async (source, rule) => {
    expect(await lint('src/server/features/sync/sync.service.ts', `${source}\n`)).toContain(rule);
  });

  test('may re-export types, and export its own functions', async () => {
    const source = `import { countRuns } from './runs.repo.ts';
export type { Run } from './runs.repo.ts';
export const hasRuns = async () => (await countRuns()) > 0;
`;
    expect(await lint('src/server/features/sync/sync.service.ts', source)).toContain('"errors":0');
  });
});

test('modules of the web application keep variables in stores, which tests reset', async () => {
  const holders: string[] = [];
  for await (const file of glob('src/web/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['**/*.test.*'] }))
    if (/^(?:export )?let /m.test(await readFile(join(ROOT, file), 'utf8'))) holders.push(file);
  expect(holders).toEqual([]);
});

describe('the environment', () => {
  test.each([
    ['src/server/features/sync/planted.ts', true],
    ['src/web/planted.ts', true],
    ['src/server/config/planted.ts', false],
  ])('reading it in %s is an error: %s', async (file, isMistake) => {
    const report = await lint(file, 'export const port = process.env.PORT;\n');
    expect(report.includes('noProcessEnv')).toBe(isMistake);
  });
});
