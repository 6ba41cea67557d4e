import { checkConfig, USAGE } from './config-check.ts';
import { runCommand } from './run-command.ts';

/** `npm run check:config`: the configuration, masked, and whether it works. */
await runCommand(USAGE, () =>
  checkConfig(process.argv.slice(2), { environment: process.env, print: (text) => void process.stdout.write(text) }),
);
