import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { type Config, readConfig } from '../config/config.ts';
import type { CandidateRequest } from './candidate-request.ts';
import { type OpenedCandidates, openCandidates } from './candidates-of.ts';
import { eraseCandidate } from './erase-candidate.ts';
import { exportCandidate } from './export-candidate.ts';
import type { Terminal } from './read-password.ts';
import { UsageError } from './usage-error.ts';

export const USAGE = `Usage:
  npm run candidate -- export EMAIL [FILE] [--files FOLDER]
  npm run candidate -- erase EMAIL [--yes]

export writes all that is held of a candidate as JSON, to FILE or to standard output, and copies recordings and pictures into FOLDER.
erase removes it, with files, log mentions and published videos, and keeps it from coming back with the next refresh. It asks before.
It does not matter whether the product is running.
`;

interface Asked {
  environment: NodeJS.ProcessEnv;
  terminal: Terminal;
}

type Action = (
  opened: OpenedCandidates,
  request: CandidateRequest,
  on: { config: Config; terminal: Terminal },
) => Promise<string>;

const ACTIONS: Record<string, Action> = { erase: eraseCandidate, export: exportCandidate };

/** Does what the arguments ask, and answers what to print. @throws UsageError, NothingDone, AppError, ConfigError, EmbeddedPostgresError */
export async function runCandidateCommand(args: string[], { environment, terminal }: Asked): Promise<string> {
  const [verb = '', ...rest] = args;
  if (['help', '--help', '-h'].includes(verb)) return USAGE;
  const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined;
  if (!action) throw new UsageError(verb === '' ? 'Say what to do.' : `There is no command ${verb}.`);
  const request = readRequest(verb, rest);
  const config = readConfig(environment);
  const opened = await openCandidates(config);
  try {
    return await action(opened, request, { config, terminal });
  } finally {
    await opened.close();
  }
}

function readRequest(verb: string, args: string[]): CandidateRequest {
  const { values, positionals } = parsed(verb, args);
  const [email = '', file = null, ...more] = positionals;
  if (!email.includes('@')) throw new UsageError(`Say whom, by e-mail address: npm run candidate -- ${verb} EMAIL`);
  if (more.length > 0 || (verb === 'erase' && file !== null)) throw new UsageError('Too many words.');
  return { email: email.trim(), file, filesFolder: values.files ?? null, isConfirmed: values.yes ?? false };
}

function parsed(verb: string, args: string[]): { values: { files?: string; yes?: boolean }; positionals: string[] } {
  const options = verb === 'erase' ? { yes: { type: 'boolean' } } : { files: { type: 'string' } };
  try {
    return parseArgs({ args, options: options as ParseArgsOptionsConfig, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
