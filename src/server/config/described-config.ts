import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findMovedStore } from './moved-store.ts';
import { findSecretFile, isSecret } from './secret-files.ts';
import { VARIABLES } from './variables.ts';

export interface DescribedVariable {
  name: string;
  /** The value, without secrets. */
  shown: string;
  source:
    | 'variable'
    | 'file'
    | 'default'
    | 'generated file'
    | 'generated at the first start'
    | 'npm run files'
    | 'not set';
}

/** Generated into these files of DATA_DIR when the variable is not set. */
const GENERATED: Record<string, string> = { ENCRYPTION_KEY: 'encryption-key', SESSION_SECRET: 'session-secret' };

/**
 * Returns every variable with its value and source, even when the configuration is invalid. Secrets
 * are masked.
 */
export function describeConfig(environment: NodeJS.ProcessEnv): DescribedVariable[] {
  const dataDir = environment.DATA_DIR?.trim() || String(VARIABLES.DATA_DIR.safeParse(undefined).data);
  const moved = findMovedStore(dataDir);
  return Object.entries(VARIABLES).map(([name, schema]) => {
    const value = environment[name];
    if (value?.trim()) return { name, shown: mask(name, value), source: 'variable' };
    const secretFile = findSecretFile(environment, name);
    if (secretFile !== undefined) return { name, shown: secretFile, source: 'file' };
    const file = Object.hasOwn(GENERATED, name) ? join(dataDir, GENERATED[name] ?? '') : null;
    if (file && existsSync(file)) return { name, shown: file, source: 'generated file' };
    if (file) return { name, shown: file, source: 'generated at the first start' };
    if (name === 'FILE_STORE' && moved !== undefined) return { name, shown: moved, source: 'npm run files' };
    return describeDefault(name, schema.safeParse(undefined).data);
  });
}

const describeDefault = (name: string, value: unknown): DescribedVariable =>
  value === undefined
    ? { name, shown: '', source: 'not set' }
    : { name, shown: mask(name, String(value)), source: 'default' };

const DOTS = '••••••';

/** Replaces a secret by its length, and the credentials in a URL by dots. */
function mask(name: string, value: string): string {
  if (isSecret(name)) return `${DOTS} (${value.trim().length} characters)`;
  const url = URL.parse(value);
  // Database drivers accept more than URLs, and an unencoded password can end the host early.
  if (!url || `${url.pathname}${url.search}${url.hash}`.includes('@')) return maskUnparsed(value);
  const hasCredentials = url.username !== '' || url.password !== '';
  // A token may be in the place of the username.
  if (hasCredentials) Object.assign(url, { username: DOTS, password: '' });
  for (const key of [...url.searchParams.keys()])
    if (/pass|secret|token|key/i.test(key)) url.searchParams.set(key, DOTS);
  return !hasCredentials && url.search === '' ? value : url.href.replaceAll('%E2%80%A2', '•');
}

/**
 * For URLs that do not parse: shows only the scheme, and what is between the last `@` and the
 * first `?`.
 */
function maskUnparsed(url: string): string {
  const scheme = /^[^:/?#@]*:\/\//.exec(url)?.[0] ?? '';
  const [beforeQuery = '', ...query] = url.slice(scheme.length).split('?');
  // A password may contain `?`, and a query `@`: the end of the password is unknown.
  if (query.join('').includes('@')) return scheme + DOTS;
  const end = beforeQuery.lastIndexOf('@');
  return `${scheme}${end < 0 ? beforeQuery : DOTS + beforeQuery.slice(end)}${query.length > 0 ? `?${DOTS}` : ''}`;
}
