import { productVariables } from '#sandbox/product-variables.ts';
import { startSandbox } from '#sandbox/start-sandbox.ts';

/** All stand-ins in this process: says how a product reaches them, and ends when nobody listens any more. */
const sandbox = await startSandbox();
process.send?.({ url: sandbox.url, variables: productVariables(sandbox), funnels: sandbox.funnels });
process.once('disconnect', () => void sandbox.close());
