import { pickAdapters } from '../compose-adapters.ts';
import { readConfig } from '../config/config.ts';
import { openLogs } from '../features/logs/logs.service.ts';
import { Accounts } from '../features/session/accounts.service.ts';
import { breachCheck } from '../features/session/breach-check.ts';
import { openDatabase } from './open-database.ts';
import { UsageError } from './usage-error.ts';

export const USAGE = `Usage:
  npm run user -- list
  npm run user -- add NAME
  npm run user -- password NAME
  npm run user -- remove NAME
  npm run user -- sign-out NAME
  npm run user -- reset-second-factor NAME

add and password ask for the new password twice, or take the first line of standard input:
  npm run user -- add NAME < password-file
A new password, removal, sign-out, and a second factor that is reset end every session of that account at once. It does not matter whether the product is running.
add also works before its first start, and makes the database then; the others want the one that the product has made.
`;

interface Asked {
  environment: NodeJS.ProcessEnv;
  readPassword: () => Promise<string>;
  /** Gets what the person should know although all went well. */
  warn: (text: string) => void;
}

type Action = (accounts: Accounts, username: string, readPassword: Asked['readPassword']) => Promise<string>;

/** Each answers what to print. */
const ACTIONS: Record<string, Action> = {
  async list(accounts) {
    const lines = (await accounts.list()).map(
      ({ username, createdAt, hasSecondFactor }) =>
        `${username}\tsince ${createdAt.toISOString().slice(0, 10)}${hasSecondFactor ? '\twith a second factor' : ''}`,
    );
    return (
      lines.join('\n') || 'There is no account yet. The first start of the product makes one, or add one yourself.'
    );
  },
  async add(accounts, username, readPassword) {
    await accounts.add({ username, password: await readPassword() });
    return `Account ${username} was added.`;
  },
  async password(accounts, username, readPassword) {
    await accounts.changePassword({ username, password: await readPassword() });
    return `The password of ${username} was changed. Whoever was signed in with the old one is signed out.`;
  },
  async 'sign-out'(accounts, username) {
    const sessions = await accounts.signOut(username);
    return `${username} was signed out everywhere (${sessions} ${sessions === 1 ? 'session' : 'sessions'}).`;
  },
  async 'reset-second-factor'(accounts, username) {
    await accounts.resetSecondFactor(username);
    return `The second factor of ${username} was removed: the password alone signs in, until another one is set up. Whoever was signed in is signed out.`;
  },
  async remove(accounts, username) {
    await accounts.remove(username);
    return `Account ${username} was removed.`;
  },
};

/**
 * Does what the arguments ask, and answers what to print.
 * @throws UsageError, PasswordNotRead, AppError, ConfigError, EmbeddedPostgresError: all with a message for the person
 */
export async function runUserCommand(args: string[], { environment, readPassword, warn }: Asked): Promise<string> {
  const [verb = '', name = '', ...more] = args;
  if (['help', '--help', '-h'].includes(verb)) return USAGE;
  const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined;
  if (!action) throw new UsageError(verb === '' ? 'Say what to do.' : `There is no command ${verb}.`);
  if (verb !== 'list' && name === '') throw new UsageError(`Say whom: npm run user -- ${verb} NAME`);
  if (more.length > 0 || (verb === 'list' && name !== '')) {
    throw new UsageError('Too many words. Put a name with spaces in quotes; a password is never given as an argument.');
  }

  const config = readConfig(environment);
  const { db, wasMade, close } = await openDatabase(config, { needs: verb === 'add' ? 'usable' : 'made' });
  try {
    const isBreached = breachCheck(pickAdapters(config).breachedPasswords, (error) =>
      warn(`${(error as Error).message} The password was not looked up there; the change goes on.\n`),
    );
    const accounts = new Accounts(db, openLogs(db, config.LOG_RETENTION_DAYS), isBreached);
    const said = await action(accounts, name.trim(), readPassword);
    return wasMade ? said : `${said} It is the first in ${config.DATABASE_URL ? 'this database' : config.DATA_DIR}.`;
  } finally {
    await close();
  }
}
