import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';
import { until } from './until.ts';

export const HOW_TO_GET_NGINX = 'nginx is not installed. On Debian and Ubuntu: apt-get install nginx-light';

export const isNginxInstalled = (): boolean => !spawnSync('nginx', ['-v']).error;

/** An nginx on a port of the loopback address. */
export interface Nginx {
  port: number;
  stop(): Promise<void>;
}

interface Place {
  folder: string;
  port: number;
}

/**
 * An nginx with one worker.
 * @param http directives of its `http` block; `listen` within `server` is added
 * @throws Error if nginx is not installed
 */
export const startNginx = (http: string): Promise<Nginx> => run((place) => configuration(place, http));

/**
 * An nginx with the configuration of compose.scale.yaml, in front of these ports. Only what Docker
 * supplies is replaced.
 */
export async function startShippedNginx(ports: readonly number[]): Promise<Nginx> {
  const shipped = await readFile(SHIPPED, 'utf8');
  return run((place) => withoutDocker(shipped, place, ports));
}

const SHIPPED = new URL('../../deploy/compose/nginx.conf', import.meta.url);
/** nginx may run as root, and keep its folders of bodies where root can write. */
const USER = userInfo().uid === 0 ? 'user root;' : '';

function withoutDocker(shipped: string, { folder, port }: Place, ports: readonly number[]): string {
  const replacements: readonly [string, string][] = [
    ['pid /run/nginx.pid;', `pid ${folder}/nginx.pid; ${USER}`],
    // Docker's name server knows the addresses of the web processes.
    ['resolver 127.0.0.11 valid=2s;', temporaryFolders(folder)],
    ['server web:5000 resolve max_fails=0;', ports.map((each) => `server 127.0.0.1:${each} max_fails=0;`).join(' ')],
    ['listen 8080;', `listen 127.0.0.1:${port};`],
  ];
  return replacements.reduce((text, [shippedText, replacement]) => {
    if (text.split(shippedText).length !== 2) throw new Error(`nginx.conf must contain "${shippedText}" once.`);
    return text.replace(shippedText, replacement);
  }, shipped);
}

async function run(configure: (place: Place) => string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'interviews-nginx-'));
  const [port = 0] = await freePorts(1);
  const path = join(folder, 'nginx.conf');
  await writeFile(path, configure({ folder, port }));
  const args = ['-p', folder, '-c', path, '-e', join(folder, 'error.log'), '-g', 'daemon off;'];
  const child = spawn('nginx', args, { stdio: 'ignore' });
  await until('nginx listens', () => isAnswering(port));
  return {
    port,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

const temporaryFolders = (folder: string) =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');

const configuration = ({ folder, port }: Place, http: string) => `
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
${USER}
events { worker_connections 4096; }
http {
  access_log off;
  ${temporaryFolders(folder)}
  ${http.replace('server {', `server { listen 127.0.0.1:${port};`)}
}
`;

const isAnswering = (port: number) =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
