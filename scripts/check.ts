import { CHECK_STEPS } from './steps/check-steps.ts';
import { runTogether } from './steps/run-steps.ts';

/** `npm run check`: all checks that do not run the product. */
const failed = await runTogether(CHECK_STEPS);
console.log(failed ? `\nFailed: ${failed}` : '\nAll checks passed.');
process.exitCode = failed ? 1 : 0;
