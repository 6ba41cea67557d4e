import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Load, LoadResult } from './load-client.ts';

/** Memory in MB; `peak` since the last question. */
export interface ServerUse {
  rss: number;
  peak: number;
  cpuSeconds: number;
}

export interface MeasuredServer {
  port: number;
  use(): Promise<ServerUse>;
  stop(): Promise<void>;
}

export async function startServer(script: string, argument: string): Promise<MeasuredServer> {
  const child = start(script, argument);
  const { port } = await answer<{ port: number }>(child);
  const use = () => ask<ServerUse>(child, 'use');
  return { port, use, stop: () => stop(child) };
}

export interface LoadClient {
  run(load: Load): Promise<LoadResult>;
  stop(): Promise<void>;
}

export function startLoadClient(): LoadClient {
  const child = start('load-client.ts', '');
  return { run: (load) => ask<LoadResult>(child, load), stop: () => stop(child) };
}

const start = (script: string, argument: string) => fork(new URL(script, import.meta.url).pathname, [argument]);

async function ask<T extends object>(child: ChildProcess, question: string | Load): Promise<T> {
  const answered = answer<T>(child);
  child.send(question);
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
