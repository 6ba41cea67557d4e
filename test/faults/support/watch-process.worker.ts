import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';

const INTERVAL_MS = 25;
const { pid, origin } = workerData as { pid: number; origin: string };

let isStopped = false;
parentPort?.once('message', () => {
  isStopped = true;
});

const latencies: number[] = [];
let memoryMb = 0;
while (!isStopped) {
  const start = performance.now();
  await (await fetch(`${origin}/livez`)).text();
  latencies.push(performance.now() - start);
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  memoryMb = Math.max(memoryMb, Number(kilobytes) / 1024);
  await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
}
parentPort?.postMessage({ memoryMb, latencies: latencies.toSorted((a, b) => a - b) });
