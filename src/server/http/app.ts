import type { IncomingMessage } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import cookie from '@fastify/cookie';
import websocket from '@fastify/websocket';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { FinishedRequest } from '#server/request-context.ts';
import { coverBareResponses, rejectBrokenRequest, rejectUnreadableUrl } from './broken-requests.ts';
import { compressJson } from './compress-json.ts';
import { handleError } from './error-handler.ts';
import { requireAccess } from './guards/access.ts';
import { guardHost, refuseAmbiguousHost } from './guards/host.ts';
import { guardOrigin } from './guards/origin.ts';
import { guardSession, type SessionReader } from './guards/session-guard.ts';
import { type ExpectVisible, guardVisibility } from './guards/visible-subject.ts';
import { logRequests, newRequestId } from './request-log.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { validateInput } from './validate-input.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** True once the process is about to stop: see `endConnections`. */
    endsConnections: boolean;
  }
}

export type App = FastifyInstance;

/** Fits a transcript of 200,000 characters in any script, escaped. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** Limit of one message over the live socket. A subscription has less than a hundred bytes. */
const MAX_SOCKET_MESSAGE_BYTES = 4 * 1024;

/** Slowloris protection: headers must arrive within 15 s. Checked every 5 s. */
const HEADER_LIMITS = { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 };
const REQUEST_TIMEOUT_MS = 30_000;
/** Each connection costs a descriptor and memory. Further ones are closed before they are read. */
const MAX_CONNECTIONS = 20_000;

export interface AppOptions {
  log: FastifyBaseLogger;
  /** True behind a proxy: forwarded addresses and protocols are trusted. */
  trustProxy: boolean;
  /** True when only this machine can connect: requests for other host names are rejected. */
  loopbackOnly?: boolean;
  /** If not empty, requests for names that are neither listed nor loopback are rejected. */
  publicUrls?: readonly URL[];
  sessions: SessionReader;
  /** Undefined: no token is valid. */
  apiTokens?: SessionReader;
  /** Undefined while no route has interviews or funnels. */
  expectVisible?: ExpectVisible;
  guardOverload?: (request: FastifyRequest) => Promise<void>;
  onFinished?: (request: FinishedRequest) => void;
}

const NO_TOKENS: SessionReader = { findSession: () => null };

/** The HTTP application, not listening yet and without routes. Guards read each route's options. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { log, trustProxy, loopbackOnly = false, publicUrls = [], guardOverload, apiTokens = NO_TOKENS } = options;
  const app = Fastify({
    loggerInstance: log,
    // There is one proxy. Forwarded values further left were sent by the client.
    trustProxy: (_address, hop) => trustProxy && hop === 0,
    bodyLimit: MAX_BODY_BYTES,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: newRequestId,
    // Long enough for the user's next click.
    keepAliveTimeout: 72_000,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: 1_000 },
    // A proxy may send a request over an open connection at the moment of the stop.
    return503OnClosing: false,
    schemaController: ZOD_ONLY,
    // A guard refuses requests without a Host header, with our headers and body.
    http: { shouldUpgradeCallback: isForLiveSocket, requireHostHeader: false, ...HEADER_LIMITS },
    frameworkErrors: rejectUnreadableUrl,
    clientErrorHandler: rejectBrokenRequest(trustProxy),
  });
  app.decorate('publicOrigins', new Set(publicUrls.map(({ origin }) => origin)));
  app.decorate('endsConnections', false);
  requireAccess(app);
  app.server.maxConnections = MAX_CONNECTIONS;
  app.setErrorHandler(handleError);
  logRequests(app, options.onFinished);
  app.addHook('onRequest', async (request, reply) => setSecurityHeaders(request, reply));
  // Before the guards, because it also closes the connection of an upgrade that they reject.
  await app.register(websocket, { options: { maxPayload: MAX_SOCKET_MESSAGE_BYTES, perMessageDeflate: false } });
  app.addHook('preClose', () => stopAccepting(app));
  coverBareResponses(app, trustProxy);
  await app.register(cookie);
  app.addHook('onSend', compressJson);
  app.addHook('onRequest', refuseAmbiguousHost);
  if (loopbackOnly || publicUrls.length > 0)
    app.addHook('onRequest', guardHost(publicUrls.map(({ hostname }) => hostname)));
  if (guardOverload) app.addHook('onRequest', guardOverload);
  app.addHook('onRequest', guardOrigin);
  app.addHook('onRequest', guardSession({ sessions: options.sessions, apiTokens }));
  app.addHook('preHandler', guardVisibility(options.expectVisible));
  return app;
}

const QUIET_TURN_MS = 1;
const ACCEPT_TIMEOUT_MS = 2_000;
/** A client that has connected sends its request within this time. */
const FIRST_REQUEST_MS = 500;

/**
 * Closes the port. A proxy does not repeat a POST that it has sent over a connection that is reset,
 * so connections that were just opened are served: those that still wait to be accepted, and those
 * whose request has not arrived.
 */
async function stopAccepting(app: App): Promise<void> {
  if (!app.endsConnections) return;
  await acceptWaiting(app.server);
  // `close` of the HTTP server, which follows, also closes connections without a request.
  NetServer.prototype.close.call(app.server);
  await sleep(FIRST_REQUEST_MS);
}

/**
 * Node accepts one connection in each turn of its event loop. Resolves after a short turn during
 * which no connection waited, or after `ACCEPT_TIMEOUT_MS`.
 */
async function acceptWaiting(server: NetServer): Promise<void> {
  let connections = 0;
  const onConnection = () => {
    connections += 1;
  };
  server.on('connection', onConnection);
  const deadline = performance.now() + ACCEPT_TIMEOUT_MS;
  // This turn may have looked for new connections already.
  await setImmediate();
  let [turnStart, isQuiet] = [performance.now(), false];
  while (!isQuiet && turnStart < deadline) {
    const before = connections;
    await setImmediate();
    const now = performance.now();
    isQuiet = connections === before && now - turnStart < QUIET_TURN_MS;
    turnStart = now;
  }
  server.off('connection', onConnection);
}

/**
 * Lets every later response end its connection. When the port closes, a proxy has no connection
 * left that it used lately, so it sends requests, also a POST, to another process.
 */
export function endConnections(app: App): void {
  app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  app.endsConnections = true;
}

/**
 * Passed as an option and not set later, so that Fastify never loads its JSON Schema compilers. Its
 * types know only those.
 */
const ZOD_ONLY = {
  compilersFactory: { buildValidator: () => validateInput, buildSerializer: () => serializerCompiler },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;

/**
 * Other `Upgrade` headers are ignored, as HTTP allows (RFC 9110, section 7.8): an upgraded
 * connection that no route takes over would stay open indefinitely.
 */
const isForLiveSocket = ({ method, url, headers }: IncomingMessage) =>
  method === 'GET' && /^\/ws(\?|$)/.test(url ?? '') && headers.upgrade?.toLowerCase() === 'websocket';
