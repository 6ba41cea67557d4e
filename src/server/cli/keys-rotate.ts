import { rotateKeys, USAGE } from './rotate-keys.ts';
import { runCommand } from './run-command.ts';

/** `npm run keys:rotate`: another encryption key for what is sealed. */
await runCommand(USAGE, () => rotateKeys(process.argv.slice(2), process.env));
