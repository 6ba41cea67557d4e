import { pickBreachedPasswords } from '#server/compose-adapters.ts';
import { createEvents } from '#server/compose-events.ts';
import { readConfig } from '#server/config/config.ts';
import { Accounts } from '#server/features/session/accounts/accounts.service.ts';
import { breachCheck } from '#server/features/session/accounts/password-policy.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';
import { openDatabase } from './open-database.ts';
import { confirm, readNewPassword } from './terminal.ts';

const USAGE = `Usage:
  npm run user -- list
  npm run user -- add NAME
  npm run user -- password NAME
  npm run user -- remove NAME [--yes]
  npm run user -- sign-out NAME
  npm run user -- reset-second-factor NAME

add and password ask for the new password twice, or read the first line of standard input:
  npm run user -- add NAME < password-file
remove asks for confirmation, unless --yes is passed.
password, remove, sign-out and reset-second-factor sign the account out everywhere.
The server may be running. add works before the first start; the other commands need an existing
database.
`;

interface Questions {
  readPassword(): Promise<string>;
  /** @throws CommandError unless the answer is yes */
  confirm(question: string): Promise<void>;
}

type Action = (accounts: Accounts, username: string, questions: Questions) => Promise<string>;

/** Each returns what to print. */
const ACTIONS: Record<string, Action> = {
  async list(accounts) {
    const lines = (await accounts.list()).map(
      ({ username, role, isDisabled, createdAt, hasSecondFactor }) =>
        `${username}\tsince ${createdAt.toISOString().slice(0, 10)}\t${role}` +
        `${hasSecondFactor ? '\twith a second factor' : ''}${isDisabled ? '\tdisabled' : ''}`,
    );
    return lines.join('\n') || 'There are no accounts yet. Add one here, or start the server to create the first one.';
  },
  async add(accounts, username, { readPassword }) {
    await accounts.add({ username, password: await readPassword() });
    return `Added account ${username}.`;
  },
  async password(accounts, username, { readPassword }) {
    await accounts.changePassword({ username, password: await readPassword() });
    return `Changed the password of ${username} and signed them out everywhere.`;
  },
  async 'sign-out'(accounts, username) {
    const sessions = await accounts.signOut(username);
    return `Signed ${username} out everywhere (${sessions} ${sessions === 1 ? 'session' : 'sessions'}).`;
  },
  async 'reset-second-factor'(accounts, username) {
    await accounts.resetSecondFactor(username);
    return `Removed ${username}'s second factor and signed them out. They can now sign in with their password only.`;
  },
  async remove(accounts, username, { confirm }) {
    await accounts.expectExists(username);
    await confirm(`The account ${username} will be removed and signed out everywhere. Its edits and log entries stay.`);
    await accounts.remove(username);
    return `Removed account ${username}.`;
  },
};

export const userCommand: Command = { usage: USAGE, run: runUserCommand };

async function runUserCommand(args: string[], { environment, terminal }: CommandContext): Promise<string> {
  const { verb, action, name, isConfirmed } = readArguments(args);
  const config = readConfig(environment);
  await using opened = await openDatabase(config, { needs: verb === 'add' ? 'usable' : 'current' });
  const isBreached = breachCheck(await pickBreachedPasswords(config), (error) =>
    terminal.output.write(`${(error as Error).message} The password was not checked there.\n`),
  );
  const accounts = new Accounts(opened.db, createEvents(), isBreached);
  const message = await action(accounts, name, {
    readPassword: () => readNewPassword(terminal),
    confirm: async (question) => (isConfirmed ? undefined : confirm(terminal, question)),
  });
  return opened.hadTables
    ? message
    : `${message} It is the first one in ${config.DATABASE_URL ? 'this database' : config.DATA_DIR}.`;
}

/** Not parsed as options: a name may start with a hyphen. */
function readArguments([verb = '', name = '', ...rest]: string[]) {
  const isConfirmed = verb === 'remove' && rest[0] === '--yes';
  const more = isConfirmed ? rest.slice(1) : rest;
  const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined;
  if (!action) throw new UsageError(verb === '' ? 'Missing command.' : `Unknown command ${verb}.`);
  if (verb !== 'list' && name === '') throw new UsageError(`Missing NAME. Usage: npm run user -- ${verb} NAME`);
  if (more.length > 0 || (verb === 'list' && name !== ''))
    throw new UsageError('Too many arguments. Quote a name with spaces. A password is never an argument.');
  return { verb, action, name: name.trim(), isConfirmed };
}
