import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findChromium, HOW_TO_GET_CHROMIUM } from '../../scripts/find-chromium.mjs';
import type { BenchProduct } from '../product.ts';

/**
 * A browser that asks nobody but this machine: every other name stays unresolved, whatever a page, Lighthouse or the browser itself
 * would like to fetch or report.
 */
export const STAYS_HERE = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  '--no-first-run',
  '--no-default-browser-check',
  // Chromium refuses its sandbox to root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];
/** What would make the browser do other work while it is watched, as Lighthouse's own launcher switches it off. */
const UNDISTURBED = [
  '--headless=new',
  '--mute-audio',
  '--disable-extensions',
  '--disable-default-apps',
  '--disable-features=Translate,OptimizationHints,MediaRouter,AutofillServerCommunication',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling',
];

/** The machine's own browser with an empty profile, for tools that speak DevTools to a port. */
export interface DebuggedChromium {
  port: number;
  signIn(product: BenchProduct): Promise<void>;
  stop(): Promise<void>;
}

/** @throws Error when the machine has no Chromium */
export function chromiumPath(): string {
  const path = findChromium();
  if (!path) throw new Error(HOW_TO_GET_CHROMIUM);
  return path;
}

export async function startChromium(): Promise<DebuggedChromium> {
  const profile = await mkdtemp(join(tmpdir(), 'bench-chromium-'));
  const flags = [...STAYS_HERE, ...UNDISTURBED, '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const child = spawn(chromiumPath(), [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const debugging = await debuggingAddress(child);
  return {
    port: Number(debugging.port),
    signIn: (product) => keepCookie(debugging, product),
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      // Helpers of the browser may still write for a moment after it.
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

async function debuggingAddress(child: ChildProcess): Promise<URL> {
  if (!child.stderr) throw new Error('Chromium runs without its output.');
  const { promise, resolve, reject } = Promise.withResolvers<URL>();
  createInterface({ input: child.stderr })
    .on('line', (line) => {
      const address = /^DevTools listening on (ws:.*)/.exec(line)?.[1];
      if (address) resolve(new URL(address));
    })
    .on('close', () => reject(new Error('Chromium ended before it could be asked anything.')));
  return promise;
}

/** A header would not do: the live socket is opened with the cookies of the browser only. */
async function keepCookie(debugging: URL, { address, cookie }: BenchProduct): Promise<void> {
  const [name, value] = cookie.split('=');
  const socket = new WebSocket(debugging);
  await once(socket, 'open');
  const answered = once(socket, 'message');
  const cookies = [{ name, value, url: address, httpOnly: true, sameSite: 'Lax' }];
  socket.send(JSON.stringify({ id: 1, method: 'Storage.setCookies', params: { cookies } }));
  const [{ data }] = (await answered) as [{ data: string }];
  socket.close();
  const { error } = JSON.parse(data) as { error?: { message: string } };
  if (error) throw new Error(`The browser keeps no cookie: ${error.message}`);
}
