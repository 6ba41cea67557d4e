import type { Exchange } from '#sandbox/http/exchange.ts';
import type { Mount } from '#sandbox/http/mount.ts';
import type { InterviewStore } from './interview-store.ts';
import { readListQuery } from './list-query.ts';
import type { InterviewServiceParts } from './send-list.ts';
import { sendList } from './send-list.ts';

export const INTERVIEW_SERVICE_PREFIX = '/interview-service';

const LIST_PATH = new RegExp(`^${INTERVIEW_SERVICE_PREFIX}/funnels/([^/]+)/interviews$`);

/** The interview service: `GET {base}/funnels/{funnelId}/interviews`. */
export function interviewServiceMount(parts: InterviewServiceParts): Mount {
  const funnelIdOf = (path: string) => LIST_PATH.exec(path)?.[1] ?? null;
  return {
    name: 'interviews',
    prefix: INTERVIEW_SERVICE_PREFIX,
    funnelIdOf,
    handle: (exchange) => respondWithList(parts, funnelIdOf(exchange.path), exchange),
  };
}

function respondWithList(
  parts: InterviewServiceParts,
  funnelId: string | null,
  exchange: Exchange,
): Promise<void> | void {
  if (funnelId === null) return exchange.fail(404, 'not_found', 'Not found.');
  if (exchange.method !== 'GET') {
    return exchange.fail(405, 'method_not_allowed', 'Use GET.', { allow: 'GET' });
  }
  const refusal = refusalOf(parts.store, funnelId, exchange.request.headers.authorization);
  if (refusal) return exchange.fail(...refusal);

  const query = readListQuery(exchange.query);
  if ('problem' in query) return exchange.fail(400, 'invalid_query', query.problem);
  return sendList(exchange, parts, funnelId, { ...query, limit: Math.min(query.limit, parts.maxPerPage) });
}

/** Returns 401 for an unknown key, 404 for an unknown funnel, 403 for the key of another funnel. */
function refusalOf(store: InterviewStore, funnelId: string, authorization = ''): [number, string, string] | null {
  const key = /^Bearer (.+)$/i.exec(authorization)?.[1];
  const owner = store.funnels.find(({ apiKey }) => apiKey === key);
  if (!owner) return [401, 'unauthorized', 'The API key is invalid.'];
  if (!store.funnels.some((funnel) => funnel.funnelId === funnelId)) {
    return [404, 'not_found', `Funnel ${funnelId} not found.`];
  }
  return owner.funnelId === funnelId ? null : [403, 'forbidden', 'This key has no access to this funnel.'];
}
