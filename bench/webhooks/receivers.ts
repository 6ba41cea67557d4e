import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** Milliseconds from the event to its first arrival, by path. */
let latencies: Record<string, number[]> = {};
let seen = new Set<string>();
const SLOW_MS = 2_000;

/** `/slow`, `/dead` and `/flaky`; other paths respond immediately. Ends with its parent. */
const server = createServer(async (request, response) => {
  const path = request.url ?? '';
  if (path === '/dead') return;
  const { id, createdAt } = (await json(request)) as { id: string; createdAt: string };
  if (path === '/flaky' && Math.random() < 0.2) return response.writeHead(500).end();
  if (!seen.has(path + id)) {
    seen.add(path + id);
    latencies[path] ??= [];
    latencies[path].push(Date.now() - Date.parse(createdAt));
  }
  setTimeout(() => response.writeHead(204).end(), path === '/slow' ? SLOW_MS : 0);
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', ({ isEnd }: { isEnd: boolean }) => {
  process.send?.({ latencies: isEnd ? latencies : {}, count: Object.values(latencies).flat().length });
  if (isEnd) [latencies, seen] = [{}, new Set()];
});
process.once('disconnect', () => process.exit());
