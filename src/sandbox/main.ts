import { parseArgs } from 'node:util';
import { productVariables } from './product-variables.ts';
import { startSandbox } from './start-sandbox.ts';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '5055' }, host: { type: 'string', default: '127.0.0.1' } },
});

const sandbox = await startSandbox({ port: Number(values.port), host: values.host });
const lines = sandbox.funnels.map(
  ({ name, funnelId, apiKey }) =>
    `  ${name}: funnel ${funnelId}, key ${apiKey}, ${sandbox.control.interviews(funnelId).length} interviews`,
);
process.stdout.write(
  [
    `The sandbox listens on ${sandbox.url}`,
    ...Object.entries(productVariables(sandbox)).map(([name, value]) => `${name}=${value}`),
    ...lines,
    `Make it fail, change and grow: ${sandbox.url}/control/…`,
    '',
  ].join('\n'),
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
