import fc from 'fast-check';
import { API } from '#contracts/api.ts';
import { requestsTo } from './endpoint-requests.ts';
import { exchange, openConnections } from './exchange.ts';
import { describeRequest, type FuzzRequest, type KnownIds } from './fuzz-request.ts';
import { incomingRequests } from './incoming-requests.ts';
import { judgeResponse } from './judge-response.ts';
import { otherRequests } from './other-requests.ts';
import type { FuzzWorld } from './world.ts';

/** Each batch has its own seed, so that a failure is reproducible without the batches before it. */
export const BATCH = 500;
const CONCURRENCY = 16;
const MAX_FINDINGS = 10;

interface FuzzOptions {
  seed: number;
  requests: number;
}

export interface FuzzReport {
  requests: number;
  /** Counts by endpoint and status: `GET /api/user 200`. */
  responses: Map<string, number>;
  /**
   * Requests of the staff that were unauthenticated: the session had ended, or the request had
   * another cookie.
   */
  unauthenticated: number;
  slowestMs: number;
  findings: string[];
}

/**
 * Sends the requests in batches and judges every response. Stops early after `MAX_FINDINGS`
 * findings.
 */
export async function fuzzEndpoints(world: FuzzWorld, { seed, requests }: FuzzOptions): Promise<FuzzReport> {
  const report: FuzzReport = { requests: 0, responses: new Map(), unauthenticated: 0, slowestMs: 0, findings: [] };
  const agent = openConnections(CONCURRENCY);
  const any = anyRequest(world.known);
  for (let batch = 0; batch * BATCH < requests && report.findings.length < MAX_FINDINGS; batch += 1) {
    const batchSeed = seed + batch;
    const chosen = fc.sample(any, { seed: batchSeed, numRuns: Math.min(BATCH, requests - batch * BATCH) });
    await world.restore();
    const queue = chosen.values();
    const sendQueued = async () => {
      for (const request of queue) await judge(world, { agent, request, report, batchSeed });
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, sendQueued));
  }
  agent.destroy();
  return report;
}

function anyRequest(known: KnownIds): fc.Arbitrary<FuzzRequest> {
  const endpoints = API.map((endpoint) => ({ weight: 2, arbitrary: requestsTo(endpoint, known) }));
  return fc.oneof(
    ...endpoints,
    { weight: 12, arbitrary: otherRequests(known) },
    { weight: 12, arbitrary: incomingRequests(known) },
  );
}

async function judge(
  world: FuzzWorld,
  {
    agent,
    request,
    report,
    batchSeed,
  }: { agent: ReturnType<typeof openConnections>; request: FuzzRequest; report: FuzzReport; batchSeed: number },
): Promise<void> {
  const found = (what: string) =>
    void report.findings.push(`seed ${batchSeed}: ${what}\n  ${describeRequest(request)}`);
  report.requests += 1;
  try {
    const response = await exchange(request, { origin: world.origin, agent, cookie: world.cookieOf(request.identity) });
    report.slowestMs = Math.max(report.slowestMs, response.milliseconds);
    const { endpoint, identity } = request;
    // A refused sign-in is a 401 too, but does not mean that a session has ended.
    if (identity === 'staff' && response.status === 401 && response.body.includes('"unauthenticated"'))
      report.unauthenticated += 1;
    const kind = `${endpoint ? `${endpoint.method} ${endpoint.path}` : 'other'} ${response.status}`;
    report.responses.set(kind, (report.responses.get(kind) ?? 0) + 1);
    const wrong = judgeResponse(request, response);
    if (wrong) found(wrong);
  } catch (error) {
    found(`no response: ${error}`);
  }
}
