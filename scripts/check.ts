import { CHECK_STEPS } from './steps/check-steps.ts';
import { runSteps } from './steps/run-steps.ts';

/** `npm run check`: everything that can be said without running the product. */
const failed = await runSteps(CHECK_STEPS);
console.log(failed ? `\nFailed: ${failed}` : '\nEverything is in order.');
process.exitCode = failed ? 1 : 0;
