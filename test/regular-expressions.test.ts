import { readdir, readFile } from 'node:fs/promises';
import { parse } from '@swc/core';
import { check } from 'recheck';
import { expect, test } from 'vitest';

const SOURCES = new URL('../src/', import.meta.url);
/** A check that takes longer, on a busy machine, counts as passed. */
const CHECK_TIMEOUT_MS = 10_000;
const CONCURRENCY = 2;

interface Expression {
  file: string;
  pattern: string;
  flags: string;
}

async function expressionsIn(file: string): Promise<Expression[]> {
  const text = await readFile(new URL(file, SOURCES), 'utf8');
  const found: Expression[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, pattern, flags } = node as Record<string, unknown>;
    if (type === 'RegExpLiteral') found.push({ file, pattern: String(pattern), flags: String(flags) });
    for (const part of Object.values(node)) walk(part);
  };
  walk(await parse(text, { syntax: 'typescript', tsx: file.endsWith('.tsx') }));
  return found;
}

test('no regular expression of the product has catastrophic backtracking', async () => {
  const files = (await readdir(SOURCES, { recursive: true })).filter((file) => /(?<!\.test)\.(tsx?|mjs)$/.test(file));
  const all = (await Promise.all(files.map(expressionsIn))).flat();
  const queue = new Map(all.map((expression) => [`/${expression.pattern}/${expression.flags}`, expression])).values();
  expect(all.length).toBeGreaterThan(100);

  const vulnerable: string[] = [];
  const work = async () => {
    for (const { file, pattern, flags } of queue) {
      const verdict = await check(pattern, flags, { timeout: CHECK_TIMEOUT_MS });
      if (verdict.status !== 'vulnerable') continue;
      vulnerable.push(
        `${file}: /${pattern}/${flags} takes ${verdict.complexity.summary} time for ${verdict.attack.pattern}`,
      );
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  expect(vulnerable).toEqual([]);
}, 300_000);
