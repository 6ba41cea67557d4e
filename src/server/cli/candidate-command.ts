import { type Config, readConfig } from '#server/config/config.ts';
import { type Command, parseArguments, type Terminal, UsageError } from './command.ts';
import { eraseCandidate } from './erase-candidate.ts';
import { exportCandidate } from './export-candidate.ts';
import { type OpenedCandidates, openCandidates } from './open-candidates.ts';

const USAGE = `Usage:
  npm run candidate -- export EMAIL [FILE] [--files FOLDER]
  npm run candidate -- erase EMAIL [--yes]

export writes everything stored about a candidate as JSON to FILE, or to standard output, and copies
recordings and thumbnails to FOLDER.
erase removes it, including files, mentions in the logs and published videos, and keeps it from
coming back with the next refresh. It asks for confirmation.
The server may be running.
`;

type Action = (opened: OpenedCandidates, context: { config: Config; terminal: Terminal }) => Promise<string>;

/** Reads the arguments first, so that wrong ones are reported before the database is opened. */
const ACTIONS: Record<string, (args: string[]) => Action> = {
  export(args) {
    const { values, positionals } = parseArguments(args, { files: { type: 'string' } }, ['EMAIL', '[FILE]']);
    const [email = '', file = null] = positionals;
    const input = { email: checkEmail(email), file, filesFolder: values.files ?? null };
    return (opened) => exportCandidate(opened, input);
  },
  erase(args) {
    const { values, positionals } = parseArguments(args, { yes: { type: 'boolean' } }, ['EMAIL']);
    const input = { email: checkEmail(positionals[0] ?? ''), isConfirmed: values.yes ?? false };
    return (opened, context) => eraseCandidate(opened, input, context);
  },
};

export const candidateCommand: Command = {
  usage: USAGE,
  async run([verb = '', ...args], { environment, terminal }) {
    const readAction = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined;
    if (!readAction) throw new UsageError(verb === '' ? 'Missing command.' : `Unknown command ${verb}.`);
    const action = readAction(args);
    const config = readConfig(environment);
    const opened = await openCandidates(config);
    try {
      return await action(opened, { config, terminal });
    } finally {
      await opened.close();
    }
  },
};

function checkEmail(email: string): string {
  if (email.includes('@')) return email.trim();
  throw new UsageError(`${email} is not an email address.`);
}
