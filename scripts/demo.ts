import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { productVariables } from '#sandbox/product-variables.ts';
import { startSandbox } from '#sandbox/start-sandbox.ts';
import { connectDemoFunnels } from './demo/connect-demo-funnels.ts';

const SANDBOX_PORT = 5055;
const PORT = 5000;
const CREDENTIALS = { username: 'admin', password: 'admin123' };

/** The product beside the sandbox of external services, with funnels ready to refresh. Its data stays in DATA_DIR, or else in `demo-data`. */
async function main(): Promise<void> {
  // At the pace of a service across the internet, so that there is something to watch.
  const sandbox = await startSandbox({ port: await freePort(SANDBOX_PORT), mostPerPage: 8 });
  sandbox.control.fail({ kind: 'latency', ms: 600 });
  sandbox.control.fail({ kind: 'latency', ms: 250, on: 'media' });
  const product = fork(resolve(import.meta.dirname, '../src/server/start.mjs'), {
    env: {
      ...process.env,
      // The demo has a database and accounts of its own.
      DATABASE_URL: '',
      ADMIN_USERNAME: CREDENTIALS.username,
      ADMIN_PASSWORD: CREDENTIALS.password,
      PORT: process.env.PORT ?? String(await freePort(PORT)),
      DATA_DIR: process.env.DATA_DIR ?? resolve(import.meta.dirname, '../demo-data'),
      ...productVariables(sandbox),
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
    },
  });
  stopTogether(product, () => sandbox.close());

  const port = await readyPort(product);
  const address = `http://127.0.0.1:${port}`;
  try {
    await connectDemoFunnels(address, CREDENTIALS, sandbox.funnels);
  } catch (error) {
    // Ctrl-C came before it was all there.
    if (product.killed) return;
    product.kill('SIGTERM');
    throw error;
  }
  console.log(`
  Open      ${address}
  Sign in   ${CREDENTIALS.username} / ${CREDENTIALS.password}
  Then press Refresh, watch the interviews arrive, and take one from New to Sent.

  The interview service, YouTube, the language models and the ATS are a sandbox at ${sandbox.url}. It grows, changes and fails on request:
  curl ${sandbox.url}/control/funnels/${sandbox.funnels[0]?.funnelId}/grow -d '{"count":3}'   (then Refresh; ${sandbox.url}/control names every call)

  Stop with Ctrl-C; start over with: rm -rf ${process.env.DATA_DIR ?? 'demo-data'}
`);
}

/** `wanted` when nobody listens there, else any free port. */
function freePort(wanted: number): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer();
    probe.once('error', () => (wanted === 0 ? failed(new Error('No port is free on 127.0.0.1.')) : found(freePort(0))));
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => found(typeof address === 'object' && address ? address.port : wanted));
    });
  });
}

function readyPort(product: ChildProcess): Promise<number> {
  return new Promise((found) => {
    product.on('message', (message: { ready?: boolean; port?: number }) => {
      if (message.ready && message.port) found(message.port);
    });
  });
}

/** The sandbox ends with the product, and the product is told when we are, or when our launcher was killed. */
function stopTogether(product: ChildProcess, closeSandbox: () => Promise<void>): void {
  product.on('exit', (code) => void closeSandbox().finally(() => process.exit(code ?? 1)));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => product.kill(signal));
  process.on('disconnect', () => product.kill());
}

await main();
