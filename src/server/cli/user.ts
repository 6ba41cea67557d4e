import { readNewPassword } from './read-password.ts';
import { runCommand } from './run-command.ts';
import { runUserCommand, USAGE } from './user-command.ts';

/** `npm run user`: the accounts, from the command line. Ends with 0 when done, 1 when refused, 2 when it was not understood. */
const terminal = { input: process.stdin, output: process.stderr };

await runCommand(USAGE, () =>
  runUserCommand(process.argv.slice(2), {
    environment: process.env,
    readPassword: () => readNewPassword(terminal),
    warn: (text) => void process.stderr.write(text),
  }),
);
