import type { ServiceInterview } from './interview.ts';
import type { Sandbox } from './start-sandbox.ts';

export interface ListedPage {
  interviews: ServiceInterview[];
  total: number;
  page: number;
  limit: number;
}

/** Reads one page of a funnel with the right key. For tests of the sandbox. */
export async function readPage(sandbox: Sandbox, funnelId: string, query = ''): Promise<ListedPage> {
  const key = sandbox.funnels.find((funnel) => funnel.funnelId === funnelId)?.apiKey;
  const response = await fetch(`${sandbox.interviewServiceUrl}/funnels/${funnelId}/interviews${query}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  if (!response.ok) throw new Error(`The list returned ${response.status}.`);
  return (await response.json()) as ListedPage;
}
