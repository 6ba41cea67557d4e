import type { FaultInput } from '#sandbox/faults/fault.ts';
import type { ServiceInterview } from '#sandbox/interview.ts';
import { Child } from '../child.ts';
import { callControl, type FunnelAccess } from '../refresh/sandbox-process.ts';

/** All simulated services, in a separate process. */
export interface Services {
  /** Environment variables that connect a product to them. */
  variables: Record<string, string>;
  funnels: FunnelAccess[];
  interviews(funnelId: string): Promise<ServiceInterview[]>;
  /** Replaces the interviews of a funnel. */
  fill(funnelId: string, interviews: readonly ServiceInterview[]): Promise<void>;
  fail(fault: FaultInput): Promise<void>;
  stop(): Promise<void>;
}

export async function startServices(): Promise<Services> {
  const child = new Child(new URL('./sandbox.ts', import.meta.url));
  const { url, variables, funnels } = await child.receive<Pick<Services, 'variables' | 'funnels'> & { url: string }>();
  const call = (method: string, path: string, body?: object) => callControl(url, method, path, body);
  const interviews = async (funnelId: string) =>
    (await call('GET', `/funnels/${funnelId}/interviews`)) as ServiceInterview[];
  return {
    variables,
    funnels,
    interviews,
    async fill(funnelId, wanted) {
      for (const { id } of await interviews(funnelId))
        await call('DELETE', `/funnels/${funnelId}/interviews/${encodeURIComponent(id)}`);
      await call('POST', `/funnels/${funnelId}/interviews`, wanted);
    },
    async fail(fault) {
      await call('POST', '/faults', fault);
    },
    stop: () => child.stop(),
  };
}
