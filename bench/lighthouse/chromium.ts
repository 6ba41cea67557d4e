import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findChromium, HOW_TO_GET_CHROMIUM } from '../../scripts/find-chromium.ts';
import type { BenchProduct } from '../product.ts';

/** Flags for a browser without network: neither pages nor the browser can reach other machines. */
export const WITHOUT_NETWORK = [
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
/** Flags that turn off background work, as Lighthouse's own launcher does. */
const WITHOUT_BACKGROUND_WORK = [
  '--headless=new',
  '--mute-audio',
  '--disable-extensions',
  '--disable-default-apps',
  '--disable-features=Translate,OptimizationHints,MediaRouter,AutofillServerCommunication',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling',
];

/** The installed browser with an empty profile, for tools that use DevTools over a port. */
export interface DebuggedChromium {
  port: number;
  signIn(product: BenchProduct): Promise<void>;
  stop(): Promise<void>;
}

/** @throws Error if no Chromium is installed */
export function chromiumPath(): string {
  const path = findChromium();
  if (!path) throw new Error(HOW_TO_GET_CHROMIUM);
  return path;
}

export async function startChromium(): Promise<DebuggedChromium> {
  const profile = await mkdtemp(join(tmpdir(), 'bench-chromium-'));
  const flags = [
    ...WITHOUT_NETWORK,
    ...WITHOUT_BACKGROUND_WORK,
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
  ];
  // A separate process group, because Debian installs a shell script that starts the browser.
  const child = spawn(chromiumPath(), [...flags, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const debugging = await debuggingAddress(child);
  return {
    port: Number(debugging.port),
    signIn: (product) => keepCookie(debugging, product),
    async stop() {
      const ended = once(child, 'exit');
      if (child.pid && child.exitCode === null && child.signalCode === null) {
        // `Browser.close` of DevTools can close the connection before it answers.
        process.kill(-child.pid, 'SIGKILL');
        await ended;
      }
      // Helper processes of the browser may still write for a moment.
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

async function debuggingAddress(child: ChildProcess): Promise<URL> {
  if (!child.stderr) throw new Error('Chromium has no stderr.');
  const { promise, resolve, reject } = Promise.withResolvers<URL>();
  createInterface({ input: child.stderr })
    .on('line', (line) => {
      const address = /^DevTools listening on (ws:.*)/.exec(line)?.[1];
      if (address) resolve(new URL(address));
    })
    .on('close', () => reject(new Error('Chromium ended before DevTools was ready.')));
  return promise;
}

/** Sets a browser cookie instead of a header, because the live socket uses browser cookies only. */
async function keepCookie(debugging: URL, { address, cookie }: BenchProduct): Promise<void> {
  const [name, value] = cookie.split('=');
  await call(debugging, 'Storage.setCookies', {
    cookies: [{ name, value, url: address, httpOnly: true, sameSite: 'Lax' }],
  });
}

/** Calls a method of the DevTools protocol. */
async function call(debugging: URL, method: string, params: object = {}): Promise<void> {
  const socket = new WebSocket(debugging);
  await once(socket, 'open');
  const answered = once(socket, 'message');
  socket.send(JSON.stringify({ id: 1, method, params }));
  const [{ data }] = (await answered) as [{ data: string }];
  socket.close();
  const { error } = JSON.parse(data) as { error?: { message: string } };
  if (error) throw new Error(`The browser refused ${method}: ${error.message}`);
}
