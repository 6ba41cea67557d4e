import type { IncomingMessage } from 'node:http';
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
import type { FinishedRequest } from '../request-context.ts';
import { answerBrokenHandshake, answerBrokenRequest, answerUnreadableAddress } from './broken-requests.ts';
import { compressJson } from './compress-json.ts';
import { handleError } from './error-handler.ts';
import { guardHost } from './foreign-host.ts';
import { guardOrigin } from './origin.ts';
import { requestIds } from './request-id.ts';
import { logRequests } from './request-log.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { guardSession, type SessionReader } from './session-guard.ts';
import { validateInput } from './validate-input.ts';

export type App = FastifyInstance;

/** Bytes of a request body. A transcript of 200,000 characters fits, whatever its script and escapes. */
const BODY_LIMIT = 2 * 1024 * 1024;
/** Bytes of a message over the live socket: a subscription needs less than a hundred. */
const SOCKET_LIMIT = 4 * 1024;

/** Headers fit into one packet or two: who still sends them after this means no good. Looked at every few seconds. */
const SLOW_CLIENTS = { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 };
const REQUEST_MS = 30_000;
/** Connections of one process: each costs a descriptor and some memory. More are closed before they are read. */
const MOST_CONNECTIONS = 20_000;

export interface AppOptions {
  log: FastifyBaseLogger;
  /** Behind a proxy: forwarded addresses and protocols count. */
  trustProxy: boolean;
  /** Nobody but this machine reaches it: other names than its own are refused. */
  loopbackOnly?: boolean;
  sessions: SessionReader;
  /** Refuses requests while there is more to do than can be done. */
  guardOverload?: (request: FastifyRequest) => Promise<void>;
  /** Gets every request that has ended. */
  onFinished?: (request: FinishedRequest) => void;
}

/** The HTTP application without its routes; it listens on nothing yet. Every route is guarded unless its endpoint is open. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { log, trustProxy, loopbackOnly = false, sessions, guardOverload, onFinished } = options;
  const app = Fastify({
    loggerInstance: log,
    // One proxy: what stands further left in the forwarded headers is the client's own word.
    trustProxy: (_address, hop) => trustProxy && hop === 0,
    bodyLimit: BODY_LIMIT,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIds(trustProxy),
    // Stay on one connection long enough for a person's next click.
    keepAliveTimeout: 72_000,
    requestTimeout: REQUEST_MS,
    routerOptions: { maxParamLength: 1_000 },
    return503OnClosing: true,
    schemaController: ZOD_ONLY,
    http: { shouldUpgradeCallback: isForLiveSocket, ...SLOW_CLIENTS },
    frameworkErrors: answerUnreadableAddress,
    clientErrorHandler: answerBrokenRequest,
  });
  app.server.maxConnections = MOST_CONNECTIONS;
  app.setErrorHandler(handleError);
  logRequests(app, onFinished);
  app.addHook('onRequest', async (request, reply) => setSecurityHeaders(request, reply));
  // Before the guards: it also closes the connection of an upgrade that they refuse.
  await app.register(websocket, { options: { maxPayload: SOCKET_LIMIT, perMessageDeflate: false } });
  app.websocketServer.on('wsClientError', answerBrokenHandshake);
  await app.register(cookie);
  app.addHook('onSend', compressJson);
  if (loopbackOnly) app.addHook('onRequest', guardHost);
  if (guardOverload) app.addHook('onRequest', guardOverload);
  app.addHook('onRequest', guardOrigin);
  app.addHook('onRequest', guardSession(sessions));
  return app;
}

/**
 * Named here, and not set afterwards, so that the compilers of JSON Schema, which nothing of ours uses, are never loaded. Fastify's types
 * only know those.
 */
const ZOD_ONLY = {
  compilersFactory: { buildValidator: () => validateInput, buildSerializer: () => serializerCompiler },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;

/**
 * Anywhere else an `Upgrade` is ignored, as HTTP allows (RFC 9110, section 7.8): a connection that was taken out of HTTP and that no
 * route takes over would stay open for ever.
 */
const isForLiveSocket = ({ method, url, headers }: IncomingMessage) =>
  method === 'GET' && /^\/ws(\?|$)/.test(url ?? '') && headers.upgrade?.toLowerCase() === 'websocket';
