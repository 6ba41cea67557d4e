import { z } from 'zod';
import { Fault } from '#sandbox/faults/fault.ts';
import type { SandboxFunnel } from '#sandbox/funnels.ts';
import type { Exchange } from '#sandbox/http/exchange.ts';
import { readJson } from '#sandbox/http/exchange.ts';
import type { Journal } from '#sandbox/http/journal.ts';
import type { Mount } from '#sandbox/http/mount.ts';
import type { ServiceInterview } from '#sandbox/interview.ts';
import type { Control } from './control.ts';

export interface ControlMountParts {
  control: Control;
  journal: Journal;
  funnels: readonly SandboxFunnel[];
}

type Call = (parts: ControlMountParts, ids: string[], exchange: Exchange) => unknown;

const Fields = z.record(z.string(), z.unknown());
const Growth = z.strictObject({
  count: z.int().min(1).max(1_000_000),
  videoBytes: z.int().min(0).optional(),
  newestAt: z.coerce.date().optional(),
});

const HireflixGrowth = z.strictObject({
  count: z.int().min(1).max(100_000),
  answers: z.int().min(0).max(20).default(3),
  videoBytes: z.int().min(0).default(200_000),
  isShort: z.boolean().default(false),
});
const Webhook = z.strictObject({
  url: z.url(),
  event: z.string().default('interview.finish'),
  interviewId: z.string(),
  positionId: z.string(),
  secret: z.string(),
  isGenuine: z.boolean().default(true),
});

/**
 * All calls of the control interface: method, path with `:` for an id, and a handler whose result
 * is returned as JSON.
 */
const CALLS: Record<string, Call> = {
  'GET /control': () => ({ calls: Object.keys(CALLS) }),
  'GET /control/funnels': ({ funnels }) => funnels,
  'GET /control/funnels/:/interviews': ({ control }, [funnelId = '']) => control.interviews(funnelId),
  'POST /control/funnels/:/interviews': async ({ control }, [funnelId = ''], exchange) => {
    const body = z.union([Fields.array(), Fields]).parse(await readJson(exchange.request));
    const interviews = [body].flat() as unknown as ServiceInterview[];
    control.add(funnelId, ...interviews);
    return { added: interviews.length };
  },
  'PATCH /control/funnels/:/interviews/:': async ({ control }, [funnelId = '', id = ''], exchange) =>
    control.change(funnelId, id, Fields.parse(await readJson(exchange.request))),
  'DELETE /control/funnels/:/interviews/:': ({ control }, [funnelId = '', id = '']) => ({
    removed: control.remove(funnelId, id),
  }),
  'POST /control/funnels/:/grow': async ({ control }, [funnelId = ''], exchange) => {
    const { count, videoBytes, newestAt } = Growth.parse(await readJson(exchange.request));
    const options = { ...(videoBytes === undefined ? {} : { videoBytes }), ...(newestAt ? { newestAt } : {}) };
    return { added: control.grow(funnelId, count, options).length };
  },
  'POST /control/hireflix/grow': async ({ control }, _, exchange) => {
    const { count, ...growth } = HireflixGrowth.parse(await readJson(exchange.request));
    control.hireflix.grow(count, growth);
    return { added: count };
  },
  'DELETE /control/hireflix/interviews/:': ({ control }, [id = '']) => ({ removed: control.hireflix.remove(id) }),
  'POST /control/hireflix/webhook': async ({ control }, _, exchange) => ({
    status: await control.hireflix.sendWebhook(Webhook.parse(await readJson(exchange.request))),
  }),
  'GET /control/faults': ({ control }) => control.faults(),
  'POST /control/faults': async ({ control }, _, exchange) => ({
    id: control.fail(Fault.parse(await readJson(exchange.request))).id,
  }),
  'DELETE /control/faults': ({ control }) => control.clearFaults(),
  'DELETE /control/faults/:': ({ control }, [id = '']) => ({ removed: control.stopFault(id) }),
  'POST /control/signatures/expire': ({ control }) => control.expireSignatures(),
  'GET /control/google/videos': ({ control }) => control.published(),
  'GET /control/google/uploads': ({ control }) => control.uploads(),
  'GET /control/bullhorn/notes': ({ control }) => control.bullhorn.store.rows('Note'),
  'GET /control/bullhorn/jobs': ({ control }) => control.bullhorn.store.rows('JobOrder'),
  'PATCH /control/bullhorn/jobs/:': async ({ control }, [id = ''], exchange) => {
    const job = control.bullhorn.store.find('JobOrder', Number(id));
    if (job) control.bullhorn.store.update('JobOrder', job, Fields.parse(await readJson(exchange.request)));
    return job;
  },
  'POST /control/bullhorn/end-sessions': ({ control }) => control.bullhorn.tokens.endSessions(),
  'POST /control/bullhorn/expire-access': ({ control }) => control.bullhorn.tokens.expireAccessTokens(),
  'POST /control/bullhorn/revoke': ({ control }) => control.bullhorn.tokens.revoke(),
  'GET /control/lever/notes': ({ control }) => control.lever.notes,
  'GET /control/mails': ({ control }) => control.mails(),
  'GET /control/events': ({ control }, _, { query }) => control.events(query.get('path') ?? undefined),
  'GET /control/requests': ({ journal }, _, { query }) => journal.list(query.get('path') ?? ''),
  'DELETE /control/requests': ({ journal }) => journal.clear(),
  'GET /control/counters': ({ journal }) => journal.counters(),
  'POST /control/reset': ({ control }) => control.reset(),
};

const ROUTES = Object.entries(CALLS).map(([route, call]) => ({
  pattern: new RegExp(`^${route.replaceAll(':', '([^/]+)')}$`),
  call,
}));

/** The control interface over HTTP with JSON. Calls without a result return `{}`. */
export const controlMount = (parts: ControlMountParts): Mount => ({
  name: 'control',
  prefix: '/control',
  isInternal: true,
  async handle(exchange) {
    const line = `${exchange.method} ${exchange.path}`;
    const route = ROUTES.find(({ pattern }) => pattern.test(line));
    if (!route) return exchange.fail(404, 'not_found', `Unknown call ${line}. GET /control lists all calls.`);
    try {
      const ids = (route.pattern.exec(line) ?? []).slice(1);
      exchange.json(200, (await route.call(parts, ids, exchange)) ?? {});
    } catch (error) {
      const message = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
      exchange.fail(400, 'invalid_call', message);
    }
  },
});
