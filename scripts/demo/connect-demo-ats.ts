import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '#server/db/embedded/find-free-port.ts';

const CLI = resolve(import.meta.dirname, '../../src/server/cli/main.ts');
const PORT = 5757;

/**
 * Runs `npm run ats:connect` and accepts the terms of the simulated Bullhorn, which does not
 * remember permissions across restarts.
 */
export async function connectDemoAts(environment: NodeJS.ProcessEnv): Promise<void> {
  const args = [CLI, 'ats:connect', '--port', String(await findFreePort(PORT))];
  const command = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = once(command, 'close');
  let shown = '';
  for await (const line of createInterface(command.stderr)) {
    shown += `${line}\n`;
    const url = /^ {2}(http\S+authorize\?\S+)$/.exec(line)?.[1];
    if (url) void fetch(`${url}&sandbox_decision=allow`).catch(() => {});
  }
  const [code] = await closed;
  if (code !== 0) console.log(`  The demo could not connect the simulated Bullhorn: ${shown}`);
}
