import { runCandidateCommand, USAGE } from './candidate-command.ts';
import { runCommand } from './run-command.ts';

/** `npm run candidate`: what is held of a candidate, written out or erased. */
await runCommand(USAGE, () =>
  runCandidateCommand(process.argv.slice(2), {
    environment: process.env,
    terminal: { input: process.stdin, output: process.stderr },
  }),
);
