import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { freePorts } from '../free-ports.ts';
import { until } from '../until.ts';
import { PYTHON } from './find-swift.ts';

const SCRIPT = new URL('./serve.py', import.meta.url).pathname;

/** Two seconds suffice on an idle machine. */
const START_LIMIT_MS = 60_000;

/** OpenStack Swift with its S3 interface, the S3 service of the tests. */
export interface Swift {
  endpoint: string;
  /** As the product accepts it. */
  credentials: { accessKeyId: string; secretAccessKey: string };
  client: S3Client;
  /** Creates an empty bucket. Returns its name. */
  createBucket(): Promise<string>;
  /** The variables of a product that stores its files in a bucket. */
  variables(bucket: string): Record<string, string>;
  /** The service is unreachable until `resume`; its buckets stay. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

const CREDENTIALS = { accessKeyId: 'test:tester', secretAccessKey: 'testing' };

/** Starts the four servers on free ports of the loopback address. Takes about two seconds. */
export async function startSwift(): Promise<Swift> {
  const folder = await mkdtemp(join(tmpdir(), 'swift-'));
  const ports = await freePorts(4);
  const endpoint = `http://127.0.0.1:${ports[3]}`;
  let servers = await startServers(folder, ports);
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: CREDENTIALS,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return {
    endpoint,
    credentials: CREDENTIALS,
    client,
    async createBucket() {
      const Bucket = `bucket-${randomUUID()}`;
      await client.send(new CreateBucketCommand({ Bucket }));
      return Bucket;
    },
    variables: (bucket) => ({
      FILE_STORE: 's3',
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_FORCE_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    }),
    pause: () => end(servers),
    async resume() {
      servers = await startServers(folder, ports);
    },
    async stop() {
      client.destroy();
      await end(servers);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startServers(folder: string, ports: readonly number[]): Promise<ChildProcess> {
  const child = spawn(PYTHON, [SCRIPT, folder, ...ports.map(String)], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { PATH: '/usr/bin:/bin', SWIFT_USER: userInfo().username },
  });
  // Before the first request, because the proxy remembers a server that did not respond.
  for (const port of ports)
    await until(
      `port ${port} accepts connections`,
      async () => {
        if (child.exitCode !== null) throw new Error(`Swift ended with ${child.exitCode}`);
        return accepts(port);
      },
      START_LIMIT_MS,
    );
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.stdin?.end();
  await ended;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
