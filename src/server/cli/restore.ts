import { runRestoreCommand, USAGE } from './restore-command.ts';
import { runCommand } from './run-command.ts';

/** `npm run restore`: what a backup holds into an empty installation. */
await runCommand(USAGE, () => runRestoreCommand(process.argv.slice(2), process.env));
