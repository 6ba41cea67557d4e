import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = resolve(import.meta.dirname, '../src');
/** Imports and re-exports that load a module. Node removes type-only ones before a start. */
const LOADING = /^(?:import|export)\s(?!type\s)(?:[^'";]*?\sfrom\s)?'([^']+)';/gm;

/** Returns what a start loads before any call of `import()`: our files, and names of packages. */
function loadedBy(entry: string): Set<string> {
  const loaded = new Set<string>();
  const visit = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    if (!/\.(ts|mjs)$/.test(file)) return;
    for (const [, name = ''] of readFileSync(join(SOURCE, file), 'utf8').matchAll(LOADING)) {
      if (name.startsWith('.')) visit(join(dirname(file), name));
      else if (name.startsWith('#')) visit(name.slice(1));
      else loaded.add(name);
    }
  };
  visit(entry);
  return loaded;
}

/** Folders and packages that only some installations or roles need. */
const OPTIONAL = [
  '@aws-sdk/client-s3',
  '@aws-sdk/s3-request-presigner',
  '@fastify/swagger',
  '@fastify/static',
  '@tus/server',
  'server/adapters/file-store-s3/s3-file-store.ts',
  'server/adapters/transcriber-openai/openai-transcriber.ts',
  'server/adapters/summarizer-openai/openai-summarizer.ts',
  'server/adapters/video-host-youtube/youtube-video-host.ts',
  'server/adapters/identity-provider-openid/openid-identity-provider.ts',
  'server/compose-web.ts',
];

test('no process loads the S3 client, outside services or the routes of users before it needs them', () => {
  const loaded = loadedBy('server/server.ts');
  expect(loaded.has('server/compose.ts') && loaded.has('pg')).toBe(true);
  expect(OPTIONAL.filter((name) => loaded.has(name))).toEqual([]);
});

test('a web process loads the routes of users, and a process with a bucket the S3 client', () => {
  const web = loadedBy('server/compose-web.ts');
  const bucket = loadedBy('server/adapters/file-store-s3/s3-file-store.ts');
  expect(['@fastify/swagger', '@fastify/static', '@tus/server'].filter((name) => !web.has(name))).toEqual([]);
  expect(['@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner'].filter((name) => !bucket.has(name))).toEqual([]);
});
