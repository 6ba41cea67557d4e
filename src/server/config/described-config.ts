import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { VARIABLES } from './config.ts';

export interface DescribedVariable {
  name: string;
  /** Fit for being shown to anybody. */
  shown: string;
  source: 'variable' | 'default' | 'generated file' | 'generated at the first start' | 'not set';
}

const SECRET = /(PASSWORD|SECRET|TOKEN|KEY|KEY_PREVIOUS)$/;
/** What is generated into DATA_DIR when it is not set. */
const GENERATED: Record<string, string> = { ENCRYPTION_KEY: 'encryption-key', SESSION_SECRET: 'session-secret' };

/** Every variable with its value and where it comes from, also where the configuration is wrong; nothing secret is in it. */
export function describeConfig(environment: NodeJS.ProcessEnv): DescribedVariable[] {
  const dataDir = environment.DATA_DIR?.trim() || String(VARIABLES.DATA_DIR.safeParse(undefined).data);
  return Object.entries(VARIABLES).map(([name, schema]) => {
    const given = environment[name];
    if (given?.trim()) return { name, shown: masked(name, given), source: 'variable' };
    const file = Object.hasOwn(GENERATED, name) ? join(dataDir, GENERATED[name] ?? '') : null;
    if (file && existsSync(file)) return { name, shown: file, source: 'generated file' };
    if (file) return { name, shown: file, source: 'generated at the first start' };
    const byDefault = schema.safeParse(undefined).data;
    if (byDefault === undefined) return { name, shown: '', source: 'not set' };
    return { name, shown: masked(name, String(byDefault)), source: 'default' };
  });
}

const DOTS = '••••••';

/** Of a secret only how long it is; of an address all but what signs in with it. */
function masked(name: string, value: string): string {
  if (SECRET.test(name)) return `${DOTS} (${value.trim().length} characters)`;
  const url = URL.parse(value);
  // Addresses of databases take forms that only their drivers read, and a password that nobody encoded can end the host's name early.
  if (!url || `${url.pathname}${url.search}${url.hash}`.includes('@')) return withoutSecrets(value);
  const isSignedIn = url.username !== '' || url.password !== '';
  // A token may stand alone in the place of the name.
  if (isSignedIn) Object.assign(url, { username: DOTS, password: '' });
  for (const key of [...url.searchParams.keys()])
    if (/pass|secret|token|key/i.test(key)) url.searchParams.set(key, DOTS);
  return !isSignedIn && url.search === '' ? value : url.href.replaceAll('%E2%80%A2', '•');
}

/** What cannot be read by its parts: the scheme, and what stands between the last `@` and the first `?`. */
function withoutSecrets(address: string): string {
  const scheme = /^[^:/?#@]*:\/\//.exec(address)?.[0] ?? '';
  const [beforeQuery = '', ...query] = address.slice(scheme.length).split('?');
  // The `?` may stand in a password as well as the `@` in a query: nobody can tell where the host is.
  if (query.join('').includes('@')) return scheme + DOTS;
  const end = beforeQuery.lastIndexOf('@');
  return `${scheme}${end < 0 ? beforeQuery : DOTS + beforeQuery.slice(end)}${query.length > 0 ? `?${DOTS}` : ''}`;
}
