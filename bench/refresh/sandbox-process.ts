import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { send } from '../product.ts';

const MAIN = new URL('../../src/sandbox/main.ts', import.meta.url).pathname;

interface FunnelAccess {
  name: string;
  funnelId: string;
  apiKey: string;
}

/** The sandbox in a separate process, with a funnel that a benchmark fills. */
export interface SandboxProcess extends AsyncDisposable {
  interviewServiceUrl: string;
  funnel: FunnelAccess;
  /** Replaces the interviews of the funnel with `count` generated ones and removes all faults. */
  fill(count: number, videoBytes?: number): Promise<void>;
  /** Delays each page of the list. */
  setLatency(ms: number): Promise<void>;
  /** Returns the number of files requested since the last call. */
  countFileRequests(): Promise<number>;
}

export async function startSandboxProcess(): Promise<SandboxProcess> {
  const child = spawn(process.execPath, [MAIN, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await addressOf(child);
  const call = async (method: string, path: string, body?: object): Promise<unknown> =>
    (await send(`${url}/control${path}`, { method, body })).json();
  const [funnel] = (await call('GET', '/funnels')) as FunnelAccess[];
  if (!funnel) throw new Error('The sandbox has no funnels.');
  const interviews = `/funnels/${funnel.funnelId}/interviews`;
  return {
    interviewServiceUrl: `${url}/interview-service`,
    funnel,
    async fill(count, videoBytes) {
      await call('POST', '/reset');
      for (const { id } of (await call('GET', interviews)) as { id: string }[])
        await call('DELETE', `${interviews}/${encodeURIComponent(id)}`);
      const size = videoBytes !== undefined && { videoBytes };
      await call('POST', `/funnels/${funnel.funnelId}/grow`, { count, ...size });
    },
    async setLatency(ms) {
      await call('DELETE', '/faults');
      if (ms > 0) await call('POST', '/faults', { kind: 'latency', ms, on: 'interviews' });
    },
    async countFileRequests() {
      const { byMount } = (await call('GET', '/counters')) as { byMount: Record<string, { requests: number }> };
      await call('DELETE', '/requests');
      return byMount.media?.requests ?? 0;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function addressOf(child: ChildProcess & { stdout: NonNullable<ChildProcess['stdout']> }): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /listens on (\S+)/.exec(line)?.[1];
    if (address) return address;
  }
  throw new Error('The sandbox did not start.');
}
