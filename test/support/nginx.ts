import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from './free-ports.ts';
import { until } from './until.ts';

export const HOW_TO_GET_NGINX = 'nginx is not installed. On Debian and Ubuntu: apt-get install nginx-light';

export const isNginxInstalled = (): boolean => !spawnSync('nginx', ['-v']).error;

/** An nginx on a port of the loopback address with one worker. */
export interface Nginx {
  port: number;
  /** Replaces the directives of its server. Requests in progress end with the former directives. */
  configure(http: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @param http directives of its `http` block; `listen` within `server` is added
 * @throws Error if nginx is not installed
 */
export async function startNginx(http: string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'interviews-nginx-'));
  const [port = 0] = await freePorts(1);
  const path = join(folder, 'nginx.conf');
  const write = (directives: string) => writeFile(path, configuration(folder, port, directives));
  await write(http);
  const child = spawn('nginx', ['-p', folder, '-c', path, '-e', join(folder, 'error.log')], { stdio: 'ignore' });
  await until('nginx listens', () => isAnswering(port));
  return {
    port,
    async configure(directives) {
      await write(directives);
      child.kill('SIGHUP');
      // The former workers accept connections until the new ones have started.
      await pause(RELOAD_MS);
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

const RELOAD_MS = 300;

const configuration = (folder: string, port: number, http: string) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
${userInfo().uid === 0 ? 'user root;' : ''}
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  ${http.replace('server {', `server { listen 127.0.0.1:${port};`)}
}
`;

const isAnswering = (port: number) =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
