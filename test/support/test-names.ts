import { extname } from 'node:path';
import { parseSync } from 'vite';

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

/** Tests with these modifiers are not run, so they prove nothing. */
const NOT_RUN = new Set(['skip', 'todo', 'fixme', 'fails', 'skipIf', 'runIf']);

/**
 * Returns the tests of a file with their describes: `a session › ends after 12 hours`. Names that
 * are computed at run time (`test.each`, a template) are returned as written. Skipped tests are
 * left out.
 */
export function testNames(file: string, source: string): string[] {
  const { program } = parseSync(file, source, { lang: extname(file).slice(1) as 'ts' | 'tsx' });
  return [...namesIn(program, source, [])];
}

function* namesIn(value: unknown, source: string, within: readonly string[]): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* namesIn(item, source, within);
  if (!isNode(value)) return;
  const made = value.type === 'CallExpression' ? declared(value, source) : null;
  if (made?.words.some((word) => NOT_RUN.has(word))) return;
  const path = made ? [...within, made.name] : within;
  if (made && !made.words.includes('describe')) yield path.join(' › ');
  for (const part of Object.values(value)) yield* namesIn(part, source, path);
}

/**
 * Returns the callee's words and the name: `test.each(cases)('name', …)` is `test`, `each`,
 * `name`.
 */
function declared({ callee, arguments: args }: Node, source: string): { words: string[]; name: string } | null {
  const words = wordsOf(callee);
  const name = nameOf((args as unknown[])[0], source);
  const isTest = words[0] === 'test' || words[0] === 'it' || words[0] === 'describe';
  return isTest && name !== null && (args as unknown[]).length > 1 ? { words, name } : null;
}

/** `test.for(cases)` is `test`, `for`. */
function wordsOf(callee: unknown): string[] {
  if (!isNode(callee)) return [];
  if (callee.type === 'Identifier') return [callee.name as string];
  if (callee.type === 'CallExpression') return wordsOf(callee.callee);
  if (callee.type === 'MemberExpression') return [...wordsOf(callee.object), (callee.property as Node).name as string];
  return [];
}

function nameOf(first: unknown, source: string): string | null {
  if (!isNode(first)) return null;
  if (first.type === 'Literal' && typeof first.value === 'string') return first.value;
  return first.type === 'TemplateLiteral' ? source.slice(first.start + 1, first.end - 1) : null;
}
