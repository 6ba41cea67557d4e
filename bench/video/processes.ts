import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Load, LoadResult } from './load-client.ts';

export interface BareServer {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** Starts the baseline in a separate process. */
export async function startBareServer(path: string): Promise<BareServer> {
  const child = start('bare-server.ts', path);
  const { port } = await answer<{ port: number }>(child);
  return { port, pid: child.pid ?? 0, stop: () => stop(child) };
}

export interface LoadClient {
  run(load: Load): Promise<LoadResult>;
  stop(): Promise<void>;
}

export function startLoadClient(): LoadClient {
  const child = start('load-client.ts', '');
  return { run: (load) => ask(child, load), stop: () => stop(child) };
}

const start = (script: string, argument: string) => fork(new URL(script, import.meta.url).pathname, [argument]);

async function ask(child: ChildProcess, load: Load): Promise<LoadResult> {
  const answered = answer<LoadResult>(child);
  child.send(load);
  return answered;
}

async function answer<T extends object>(child: ChildProcess): Promise<T> {
  const answered = new AbortController();
  const { signal } = answered;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`${child.spawnargs.join(' ')} ended with ${code}.`);
  });
  const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [T | { failure: string }];
  ended.catch(() => undefined);
  answered.abort();
  if ('failure' in message) throw new Error(message.failure);
  return message;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
