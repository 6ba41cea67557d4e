import { runBackupCommand, USAGE } from './backup-command.ts';
import { runCommand } from './run-command.ts';

/** `npm run backup`: database and files into one file. */
await runCommand(USAGE, () => runBackupCommand(process.argv.slice(2), process.env));
