import type { Exchange } from '#sandbox/http/exchange.ts';
import { sleepWhileConnected } from '#sandbox/http/exchange.ts';
import type { FaultOf } from './fault.ts';

const ERRORS: Record<number, [error: string, message: string]> = {
  401: ['unauthorized', 'The API key is invalid.'],
  403: ['forbidden', 'This key has no access to this funnel.'],
  404: ['not_found', 'Funnel not found.'],
  429: ['rate_limited', 'Too many requests.'],
};

/**
 * Applies the faults that every mount supports. Returns true when the request was answered or never
 * will be.
 */
export async function failedInGeneral(exchange: Exchange): Promise<boolean> {
  const { faults } = exchange;
  const latency = faults.take('latency');
  if (latency) await sleepWhileConnected(exchange, latency.ms);
  if (exchange.isOver) return true;

  const fault = faults.take('status', 'hang', 'reset');
  if (!fault) return false;
  if (fault.kind === 'status') respondWithStatus(exchange, fault);
  if (fault.kind === 'reset') await resetConnection(exchange, fault);
  return true;
}

function respondWithStatus(exchange: Exchange, fault: FaultOf<'status'>): void {
  const headers = { ...retryAfter(fault), ...(fault.location !== undefined && { location: fault.location }) };
  if (typeof fault.body === 'string') {
    exchange.send(fault.status, 'text/html; charset=utf-8', Buffer.from(fault.body), headers);
    return;
  }
  const [error, message] = ERRORS[fault.status] ?? ['server_error', 'Something went wrong at the interview service.'];
  const body = fault.repeatsHeaders ? repeatedHeaders(exchange) : fault.body;
  exchange.json(fault.status, body === undefined ? { error, message } : body, headers);
}

/** Plain and as base64, as gateways repeat them. */
function repeatedHeaders({ request }: Exchange): object {
  const values = ['authorization', 'x-api-key', 'organization-id', 'bhresttoken'].flatMap(
    (name) => request.headers[name] ?? [],
  );
  const encoded = values.map((value) => Buffer.from(value).toString('base64'));
  const message = `Bad headers: ${[...values, ...encoded].join(' ')}.`;
  return { message, detail: message, errors: [{ message }] };
}

function retryAfter({ retryAfterSeconds, retryAfterAs }: FaultOf<'status'>): Record<string, string> {
  if (retryAfterSeconds === undefined) return {};
  const date = new Date(Date.now() + retryAfterSeconds * 1000).toUTCString();
  return { 'retry-after': retryAfterAs === 'date' ? date : String(retryAfterSeconds) };
}

async function resetConnection(exchange: Exchange, { when }: FaultOf<'reset'>): Promise<void> {
  if (when === 'after-headers') {
    exchange.head(200, { 'content-type': 'application/json', 'content-length': 4096 });
    exchange.response.flushHeaders();
    // The headers must be sent before the reset discards unsent data.
    await sleepWhileConnected(exchange, 20);
  }
  exchange.reset();
}
