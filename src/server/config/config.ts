import { resolve } from 'node:path';
import { z } from 'zod';
import { isLoopback } from '#server/http/loopback.ts';
import { impossibleSettings } from './impossible.ts';
import { findMovedStore } from './moved-store.ts';
import { readSecretFiles } from './secret-files.ts';
import { DEFAULT_DATA_DIR, VARIABLES } from './variables.ts';

/** The configuration is invalid. The message names every problem. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  constructor(problems: string[]) {
    super(`Configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

const Environment = z.object(VARIABLES);

/** The parsed configuration. */
export type Config = Omit<z.output<typeof Environment>, 'DATA_DIR'> & {
  /** Absolute. */
  DATA_DIR: string;
};

/** The variables of this process. Outside of this folder, only `cli/main.ts` reads them. */
export const ENVIRONMENT: NodeJS.ProcessEnv = process.env;

/**
 * Parses the environment and the files of secrets. Empty variables count as unset.
 * @throws ConfigError naming every invalid variable
 */
export function readConfig(environment = ENVIRONMENT): Config {
  const names = Object.keys(VARIABLES);
  const files = readSecretFiles(environment, names);
  const given = { ...environment, ...files.values };
  const values = Object.fromEntries(names.flatMap((name) => (given[name]?.trim() ? [[name, given[name]]] : [])));
  const movedStore = findMovedStore(environment.DATA_DIR?.trim() || DEFAULT_DATA_DIR);
  if (movedStore !== undefined) values.FILE_STORE ??= movedStore;
  const parsed = Environment.safeParse(values);
  const wrong = (parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}.`);
  const problems = [...files.problems, ...wrong, ...impossibleSettings(values)];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return { ...parsed.data, DATA_DIR: resolve(parsed.data.DATA_DIR) };
}

/**
 * Whether other machines can reach the server: it listens on more than loopback, or is behind a
 * proxy.
 */
export const isReachable = ({ HOST, TRUST_PROXY }: Pick<Config, 'HOST' | 'TRUST_PROXY'>): boolean =>
  TRUST_PROXY || !isLoopback(HOST);
