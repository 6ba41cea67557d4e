/** The server's half of the talk with the benchmark: says its port once, and how much memory it holds whenever it is asked. */
import type { AddressInfo } from 'node:net';

const MEGABYTE = 1024 * 1024;

export function reportTo(address: AddressInfo | string | null): void {
  let peak = 0;
  setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20).unref();
  process.on('message', () => {
    const rss = process.memoryUsage.rss();
    const { user, system } = process.cpuUsage();
    process.send?.({ rss: rss / MEGABYTE, peak: Math.max(peak, rss) / MEGABYTE, cpuSeconds: (user + system) / 1e6 });
    peak = 0;
  });
  process.send?.({ port: (address as AddressInfo).port });
}
