import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
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
  let shown = '';
  command.stderr.setEncoding('utf8').on('data', (text: string) => {
    const isKnown = urlIn(shown) !== undefined;
    shown += text;
    const url = urlIn(shown);
    if (url && !isKnown) void fetch(`${url}&sandbox_decision=allow`).catch(() => {});
  });
  const [code] = await once(command, 'close');
  if (code !== 0) console.log(`  The demo could not connect the simulated Bullhorn: ${shown}`);
}

const urlIn = (text: string): string | undefined => /^ {2}(http\S+authorize\?\S+)\n/m.exec(text)?.[1];
