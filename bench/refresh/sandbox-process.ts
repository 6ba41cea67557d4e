import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { SandboxFunnel } from '#sandbox/funnels.ts';

const MAIN = new URL('../../src/sandbox/main.ts', import.meta.url).pathname;

export type SandboxProcess = Awaited<ReturnType<typeof startSandboxProcess>>;

/** The sandbox in a separate process, with a funnel that a benchmark fills. */
export async function startSandboxProcess() {
  const child = spawn(process.execPath, [MAIN, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  // Emitted when it prints its URL, and when it ends without.
  await once(child.stdout, 'readable');
  const url = /listens on (\S+)/.exec(String(child.stdout.read()))?.[1];
  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await fetch(`${url}/control${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} /control${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  };
  const [funnel] = await call<SandboxFunnel[]>('GET', '/funnels');
  if (!funnel) throw new Error('The sandbox has no funnels.');
  const interviews = `/funnels/${funnel.funnelId}/interviews`;
  return {
    interviewServiceUrl: `${url}/interview-service`,
    funnel,
    /** Replaces the interviews of the funnel with `count` generated ones and removes all faults. */
    async fill(count: number, videoBytes?: number) {
      await call('POST', '/reset');
      for (const { id } of await call<{ id: string }[]>('GET', interviews))
        await call('DELETE', `${interviews}/${encodeURIComponent(id)}`);
      await call('POST', `/funnels/${funnel.funnelId}/grow`, { count, videoBytes });
    },
    /** Delays each page of the list. */
    async setLatency(ms: number) {
      await call('DELETE', '/faults');
      if (ms > 0) await call('POST', '/faults', { kind: 'latency', ms, on: 'interviews' });
    },
    /** Returns the number of files requested since the last call. */
    async countFileRequests() {
      const { byMount } = await call<{ byMount: Record<string, { requests: number }> }>('GET', '/counters');
      await call('DELETE', '/requests');
      return byMount.media?.requests ?? 0;
    },
    [Symbol.dispose]: () => child[Symbol.dispose](),
  };
}
