import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { TINYPROXY } from './find-tinyproxy.ts';
import { freePorts } from './free-ports.ts';
import { isListening } from './listening.ts';
import { until } from './until.ts';

export interface Tinyproxy {
  /** Without a username and a password. */
  url: string;
  /** The targets of all tunnels so far, such as `127.0.0.1:443`. */
  tunnels(): Promise<string[]>;
}

/** Starts a separate proxy with additional configuration `lines`. Stops it when the test ends. */
export async function startTinyproxy(lines: readonly string[] = []): Promise<Tinyproxy> {
  const [port = 0] = await freePorts(1);
  const folder = await mkdtemp(join(tmpdir(), 'tinyproxy-'));
  const [file, log] = [join(folder, 'tinyproxy.conf'), join(folder, 'log')];
  const own = ['Listen 127.0.0.1', `Port ${port}`, 'Allow 127.0.0.1', 'LogLevel Connect', `LogFile "${log}"`];
  await writeFile(file, `${[...own, ...lines].join('\n')}\n`);
  const child = spawn(TINYPROXY, ['-d', '-c', file], { stdio: 'ignore' });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    if (child.kill('SIGKILL')) await ended;
    await rm(folder, { recursive: true, force: true });
  });
  await until('Tinyproxy listens', () => isListening(port));
  return {
    url: `http://127.0.0.1:${port}`,
    async tunnels() {
      const text = await readFile(log, 'utf8').catch(() => '');
      return [...text.matchAll(/CONNECT (\S+) HTTP/g)].flatMap(([, target]) => target ?? []);
    },
  };
}
