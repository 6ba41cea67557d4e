import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { productVariables } from '#sandbox/product-variables.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { findFreePort } from '#server/db/embedded/find-free-port.ts';
import { Recruiter } from '#support/recruiter.ts';
import { connectDemoAts } from './demo/connect-demo-ats.ts';
import { fillDemo, PASSWORD_OF_PEOPLE } from './demo/fill-demo.ts';

const SANDBOX_PORT = 5055;
const PORT = 5000;
const CREDENTIALS = { username: 'admin', password: 'admin123' };

/** `npm run demo`: the product with simulated services, and funnels ready to refresh. */
async function main(): Promise<void> {
  const sandbox = await startSandbox({ port: await findFreePort(SANDBOX_PORT), maxPerPage: 8 });
  const environment = await demoEnvironment(sandbox);
  const product = fork(resolve(import.meta.dirname, '../src/server/main.mjs'), { env: environment });
  // The sandbox stops with the product, and the product stops on a signal or when the launcher was
  // killed.
  product.on('exit', (code) => void sandbox.close().finally(() => process.exit(code ?? 1)));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => product.kill(signal));
  process.on('disconnect', () => product.kill());

  const [{ port }] = await once(product, 'message');
  const productUrl = `http://127.0.0.1:${port}`;
  try {
    const recruiter = await Recruiter.signIn(productUrl, CREDENTIALS).catch(() => null);
    if (recruiter) await fillDemo(recruiter, sandbox);
    else console.log('  The demo could not sign in, so it did not check the funnels.');
    await connectDemoAts(environment);
  } catch (error) {
    // Ctrl-C stopped the product first.
    if (product.killed) return;
    product.kill('SIGTERM');
    throw error;
  }
  // Delays as of services across the internet make progress visible.
  sandbox.control.fail({ kind: 'latency', ms: 600 });
  sandbox.control.fail({ kind: 'latency', ms: 250, on: 'media' });
  printInstructions(productUrl, sandbox);
}

const demoEnvironment = async (sandbox: Sandbox): Promise<NodeJS.ProcessEnv> => ({
  ...process.env,
  // The demo uses its own database and account.
  DATABASE_URL: '',
  ADMIN_USERNAME: CREDENTIALS.username,
  ADMIN_PASSWORD: CREDENTIALS.password,
  PORT: process.env.PORT ?? String(await findFreePort(PORT)),
  DATA_DIR: process.env.DATA_DIR ?? resolve(import.meta.dirname, '../demo-data'),
  ...productVariables(sandbox),
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
});

function printInstructions(productUrl: string, { url, funnels: [funnel] }: Sandbox): void {
  console.log(`
  Open      ${productUrl}
  Sign in   ${CREDENTIALS.username} / ${CREDENTIALS.password} (administrator)
            riley, robin (recruiters with one funnel each) or casey (reviewer) / ${PASSWORD_OF_PEOPLE}
            or choose a person of the simulated provider: Sign in with Demo Company
  Press Refresh, watch the interviews arrive, and take one from New to Sent.

  Everything external is simulated at ${url}. To add three interviews, then press Refresh:
  curl ${url}/control/funnels/${funnel?.funnelId}/grow -d '{"count":3}'
  Mails that the product sends: ${url}/mail
  Events that it reports: ${url}/received
  Notes in the simulated Bullhorn: ${url}/control/bullhorn/notes
  All simulation calls: ${url}/control

  Stop with Ctrl-C. Start over with: rm -rf ${process.env.DATA_DIR ?? 'demo-data'}
`);
}

await main();
