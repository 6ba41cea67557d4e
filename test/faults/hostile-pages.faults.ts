import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { FunnelSource } from '#contracts/sources.ts';
import { startSync } from '#contracts/sync.ts';
import type { ProductProcess } from '#support/start-process.ts';
import { until } from '#support/until.ts';
import { activateFunnelOf, onTestEnd, refresh, refreshEnded, setStage } from './support/stage.ts';

const FUNNEL = 'warehouse';
const MB = 2 ** 20;
const MAX_LATENCY_MS = 200;
const MAX_MEMORY_MB = 300;

/** A page of about `bytes` bytes: `start`, then `part` again and again, then `end`. */
interface HostilePage {
  start: string;
  part(index: number): string;
  end: string;
  bytes: number;
}

const ITEMS = '{"interviews":[';
const zeros = (bytes: number): HostilePage => ({ start: ITEMS, part: () => '0,', end: '0],"total":1}', bytes });
const inItem = (field: string, part: HostilePage['part'], bytes: number): HostilePage => ({
  start: `${ITEMS}{"id":"iv_1","${field}":[`,
  part,
  end: '0]}],"total":1}',
  bytes,
});

const PAGES: [what: string, HostilePage][] = [
  ['nothing', { start: '', part: () => '', end: '', bytes: 0 }],
  ['90,000 numbers', zeros(180_000)],
  ['4 MB of numbers', zeros(4 * MB)],
  ['12 MB of numbers', zeros(12 * MB)],
  ['64 MB of numbers', zeros(64 * MB)],
  ['64 MB of text', { start: `${ITEMS}{"id":"`, part: () => 'text'.repeat(256), end: '"}]}', bytes: 64 * MB }],
  ['7 MB of different keys', inItem('transcript', (index) => `{"key-${index}-${'x'.repeat(60)}":0},`, 7 * MB)],
  ['invalid questions', inItem('questions', () => '0,', 390_000)],
  ['8 MB of brackets', { start: ITEMS, part: () => '[', end: '', bytes: 8 * MB }],
  ['100,000 nested objects', { start: '', part: () => '{"a":', end: '0', bytes: 500_000 }],
];

const RESULTS = '{"data":{"position":{"name":"P","interviewList":{"total":1,"results":[';
/** A page of Hireflix within its limits of 8 MB and 200,000 values. */
const hireflixPage = (start: string, part: HostilePage['part'], bytes: number): HostilePage => ({
  start: `${RESULTS}${start}`,
  part,
  end: ']}}}}',
  bytes,
});
const QUESTIONS = '{"id":"iv_1","status":"completed","questions":[';

const HIREFLIX_PAGES: [what: string, HostilePage][] = [
  ['199,000 numbers', hireflixPage('', () => '0,', 398_000)],
  ['7 MB of line breaks', hireflixPage('', () => '\n', 7 * MB)],
  ['7 MB of control characters', hireflixPage('"', () => '\u0001', 7 * MB)],
  ['199,000 different keys', hireflixPage('{', (index) => `"key-${index}":0,`, 3 * MB)],
  ['50,000 questions', hireflixPage(QUESTIONS, () => '{"answer":{"id":1}},', MB)],
  ['a name of 7 MB', hireflixPage('{"id":"iv_1","status":"completed","candidate":{"fullName":"', () => 'x', 7 * MB)],
  ['190,000 nested objects', hireflixPage('', () => '{"a":', 950_000)],
];

function* chunksOf({ start, part, end, bytes }: HostilePage): Generator<string> {
  yield start;
  for (let sent = 0, index = 0; sent < bytes; ) {
    let chunk = '';
    for (; chunk.length < 64 * 1024 && sent + chunk.length < bytes; index += 1) chunk += part(index);
    sent += chunk.length;
    yield chunk;
  }
  yield end;
}

const sendPage = (response: ServerResponse, page: HostilePage) =>
  pipeline(Readable.from(chunksOf(page)), response).catch(() => {});

/** An interview service that returns `page` to every request, or never responds if it is null. */
async function startService() {
  const service = { url: '', requests: 0, page: null as HostilePage | null };
  const server = createServer((_, response) => {
    service.requests += 1;
    if (service.page) void sendPage(response, service.page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
}

async function setUp(source: FunnelSource = 'rest') {
  const service = await startService();
  // A small heap: a page that takes hundreds of megabytes ends the process, not the machine.
  const env = {
    INTERVIEW_SERVICE_URL: service.url,
    HIREFLIX_URL: service.url,
    NODE_OPTIONS: '--max-old-space-size=300',
  };
  const stage = await setStage(env);
  const product = await stage.start();
  await activateFunnelOf(product, stage.sandbox, FUNNEL);
  await stage.ask('UPDATE funnel SET source = $1', [source]);
  return { service, stage, product };
}

async function memoryOf({ pid }: ProductProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

/** Watches the product until `work` ends. */
async function watch(product: ProductProcess, work: Promise<unknown>) {
  const highest = { latencyMs: 0, memoryMb: 0 };
  let hasEnded = false;
  const ended = work.finally(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    const start = performance.now();
    expect((await fetch(`${product.origin}/livez`)).status).toBe(200);
    highest.latencyMs = Math.max(highest.latencyMs, performance.now() - start);
    highest.memoryMb = Math.max(highest.memoryMb, await memoryOf(product));
    await pause(20);
  }
  await ended;
  return highest;
}

const TABLES: [source: FunnelSource, pages: typeof PAGES][] = [
  ['rest', PAGES],
  ['hireflix', HIREFLIX_PAGES],
];

test.each(TABLES)(
  'no page of a service blocks the product, takes much memory or ends the process: %s',
  async (source, pages) => {
    const { service, product } = await setUp(source);
    for (const [what, page] of pages) {
      service.page = page;
      let highest = { latencyMs: Number.POSITIVE_INFINITY, memoryMb: 0 };
      // Another process may take the processor for a moment, but hardly at every attempt.
      for (let attempt = 1; attempt <= 3 && highest.latencyMs > MAX_LATENCY_MS; attempt += 1)
        highest = await watch(product, refresh(product));
      expect({ what, isLate: highest.latencyMs > MAX_LATENCY_MS && highest }).toEqual({ what, isLate: false });
      expect({ what, isLarge: highest.memoryMb > MAX_MEMORY_MB && highest }).toEqual({ what, isLarge: false });
    }

    service.page =
      source === 'rest'
        ? { start: ITEMS, part: () => '', end: '],"total":0}', bytes: 0 }
        : hireflixPage('', () => '', 0);
    expect((await refresh(product)).error).toBeNull();
  },
);

test('a refresh whose page ends the process ends with the third process', async () => {
  const { service, stage, product } = await setUp();
  await product.call(startSync, { query: {} });
  let running = product;
  for (const requests of [1, 2]) {
    await until('the page was requested', () => service.requests >= requests, 60_000);
    await running.kill();
    running = await stage.start();
  }
  const { error } = await refreshEnded(running);
  expect(error).toContain('the server ended twice while it ran');
  expect(service.requests).toBe(2);
  await stage.settled();
  await stage.expectConsistent();

  service.page = { start: ITEMS, part: () => '', end: '],"total":0}', bytes: 0 };
  expect((await refresh(running)).error).toBeNull();
});
