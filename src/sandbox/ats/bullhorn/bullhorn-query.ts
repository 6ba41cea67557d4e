import type { Row } from './bullhorn-store.ts';

export class QueryError extends Error {
  override name = 'QueryError';
}

type Test = (row: Row) => boolean;

/** Matches a parenthesis, a phrase, a field with its colon, or a word with escaped characters. */
const TOKEN = /\s*([()]|"(?:[^"\\]|\\.)*"|[A-Za-z][\w.]*:|(?:[^\s()"\\]|\\.)+)/y;

/** Returns a test for the part of Lucene's syntax with AND, OR, fields, phrases and wildcards. */
export function luceneTest(query: string): Test {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; query.slice(end).trim() !== ''; end = TOKEN.lastIndex) {
    const [, token] = TOKEN.exec(query) ?? [];
    if (token === undefined) throw new QueryError(`error parsing query at ${end}`);
    tokens.push(token);
  }
  const test = parseOr(tokens, null);
  if (tokens.length > 0) throw new QueryError(`unexpected ${tokens[0]}`);
  return test;
}

function parseOr(tokens: string[], field: string | null): Test {
  const tests = [parseAnd(tokens, field)];
  while (tokens[0] === 'OR') {
    tokens.shift();
    tests.push(parseAnd(tokens, field));
  }
  return (row) => tests.some((test) => test(row));
}

function parseAnd(tokens: string[], field: string | null): Test {
  const tests = [parseOne(tokens, field)];
  while (tokens[0] === 'AND') {
    tokens.shift();
    tests.push(parseOne(tokens, field));
  }
  return (row) => tests.every((test) => test(row));
}

function parseOne(tokens: string[], field: string | null): Test {
  const token = tokens.shift();
  if (token === undefined || token === ')') throw new QueryError('the query ends too early');
  if (token === '(') {
    const test = parseOr(tokens, field);
    if (tokens.shift() !== ')') throw new QueryError('a parenthesis is not closed');
    return test;
  }
  if (token.endsWith(':')) return parseOne(tokens, token.slice(0, -1));
  if (field === null) throw new QueryError(`no field for ${token}`);
  return (row) => matches(readField(row, field), token);
}

export const readField = (row: Row, field: string): unknown =>
  field.split('.').reduce<unknown>((value, name) => (value as Row | undefined)?.[name], row);

function matches(value: unknown, token: string): boolean {
  if (typeof value === 'boolean') return value === (token === '1' || token === 'true');
  const text = String(value ?? '').toLowerCase();
  const plain = token.replace(/\\(.)/g, '$1').toLowerCase();
  if (plain.startsWith('"')) return text === plain.slice(1, -1);
  const words = text.split(/[^\p{L}\p{N}]+/u);
  return plain.endsWith('*') ? words.some((word) => word.startsWith(plain.slice(0, -1))) : words.includes(plain);
}

/** Returns a test for comparisons such as `candidate.id=123 AND isDeleted=false` (JPQL). */
export function jpqlTest(where: string): Test {
  const comparisons = where.split(' AND ').map((comparison) => {
    const [field = '', value = ''] = comparison.trim().split('=');
    if (!/^[\w.]+$/.test(field) || !/^(\d+|true|false|'[^']*')$/.test(value))
      throw new QueryError(`error parsing ${comparison}`);
    return { field, value: value.replace(/^'|'$/g, '') };
  });
  return (row) => comparisons.every(({ field, value }) => String(readField(row, field)) === value);
}

/** Returns the named fields of a row, such as `id,title,clientCorporation(id,name)`. */
export function selectFields(row: Row, fields: string): Record<string, unknown> {
  const selected: Record<string, unknown> = {};
  for (const [, name = '', inner] of fields.matchAll(/([\w]+)(?:\(([\w,]*)\))?/g)) {
    const value = row[name];
    selected[name] = inner && value ? selectFields(value as Row, inner) : value;
  }
  return selected;
}
