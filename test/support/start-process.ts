import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { CallInput, Endpoint, ResponseOf } from '#contracts/endpoint.ts';
import { login } from '#contracts/session.ts';
import { repeatWhenBusy } from './repeat-when-busy.ts';

/** The launcher; it runs the build if that is up to date with the sources. */
export const MAIN = fileURLToPath(new URL('../../src/server/main.mjs', import.meta.url));

/** The product in its own process, as an administrator runs it. */
export interface ProductProcess {
  origin: string;
  pid: number;
  /** The session of the first account as the value of a `Cookie` header. */
  readonly cookie: string;
  /** Calls an endpoint as the first account. @throws Error unless the call succeeds */
  call<const E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<ResponseOf<E>>;
  /** Kills the process without running signal handlers. Its PostgreSQL keeps running. */
  kill(): Promise<void>;
  /** Stops the process in order and resolves with its exit code. */
  terminate(): Promise<number | null>;
  /** Sends a message over the IPC channel, for a preloaded module. */
  sendMessage(message: object): void;
}

/** The user and the program with which the product is started. */
export type Launch = Pick<ForkOptions, 'uid' | 'gid' | 'execPath' | 'execArgv'>;

interface ProcessOptions {
  launch?: Launch;
  /** A module that is loaded before the product, to change its environment. */
  preload?: string;
  /** Receives every line of the log. */
  onLog?: (line: string) => void;
}

/** Starts the process, waits until it serves, and signs in. It is stopped when the test ends. */
export async function startProcess(
  env: Record<string, string>,
  { preload, onLog, launch = {} }: ProcessOptions = {},
): Promise<ProductProcess> {
  const child = fork(MAIN, {
    ...launch,
    execArgv: [...(launch.execArgv ?? []), ...(preload ? ['--import', preload] : [])],
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', onLog ? 'pipe' : 'ignore', 'inherit', 'ipc'],
  });
  if (child.stdout && onLog) createInterface(child.stdout).on('line', onLog);
  onTestFinished(() => end(child, 'SIGTERM').then(() => undefined));
  const port = await readyPort(child);
  const origin = `http://127.0.0.1:${port}`;

  let cookie = '';
  const call: ProductProcess['call'] = async (endpoint, input) => {
    const {
      params = {},
      query = {},
      body,
    } = input as { params?: Record<string, unknown>; query?: Record<string, string>; body?: unknown };
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const { response, text } = await repeatWhenBusy(async () => {
      const response = await fetch(`${origin}${path}?${new URLSearchParams(query)}`, {
        method: endpoint.method,
        headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { response, status: response.status, text: await response.text() };
    });
    if (!response.ok) throw new Error(`${endpoint.method} ${path} returned ${response.status}: ${text}`);
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return endpoint.response.parse(JSON.parse(text)) as never;
  };
  await call(login, { body: { username: 'admin', password: env.ADMIN_PASSWORD ?? 'admin123' } });
  return {
    origin,
    pid: child.pid ?? 0,
    get cookie() {
      return cookie;
    },
    call,
    sendMessage: (message) => void child.send(message),
    kill: () => end(child, 'SIGKILL').then(() => undefined),
    terminate: () => end(child, 'SIGTERM'),
  };
}

function readyPort(child: ChildProcess): Promise<number> {
  return new Promise((ready, failed) => {
    child.once('exit', (code) => failed(new Error(`The product ended with ${code} before it was ready`)));
    child.on('message', (message: { ready?: boolean; port?: number }) => {
      if (message.ready && message.port) ready(message.port);
    });
  });
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}
