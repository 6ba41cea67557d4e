import { productVariables } from '#sandbox/product-variables.ts';
import { startSandbox } from '#sandbox/start-sandbox.ts';

/** The whole sandbox in this forked process. Ends with its parent. */
const sandbox = await startSandbox();
process.send?.({ url: sandbox.url, variables: productVariables(sandbox), funnels: sandbox.funnels });
process.once('disconnect', () => void sandbox.close());
