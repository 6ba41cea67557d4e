import type { FastifyRequest, RouteOptions } from 'fastify';
import { AppError } from '../app-error.ts';
import type { App } from './app.ts';
import { API_DOCS_HEADERS } from './security-headers.ts';

/** Headers that speak of a connection, not of an answer (RFC 9110, section 7.6.1). */
const OF_A_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding'];

/** What a browser says of the copy that it has. */
const keptBy = ({ headers }: FastifyRequest) => ({
  ...(headers['if-none-match'] && { 'if-none-match': headers['if-none-match'] }),
  ...(headers['if-modified-since'] && { 'if-modified-since': headers['if-modified-since'] }),
});

type Build = (routes: readonly RouteOptions[]) => Promise<App>;

const loadAndBuild: Build = async (routes) => (await import('./api-docs-app.ts')).buildApiDocs(routes);

/**
 * The OpenAPI description at `/api/docs`, for signed-in users. Call it before the routes that it shall describe. What makes it is built
 * at the first call: few ever look at it, and it would be a tenth of every start. A failure is tried again at the next call.
 */
export function serveApiDocs(app: App, build: Build = loadAndBuild): void {
  const described: RouteOptions[] = [];
  let building: Promise<App> | undefined;
  const docs = () => {
    building ??= build(described).catch((error: unknown) => {
      building = undefined;
      throw error;
    });
    return building;
  };
  for (const url of ['/api/docs', '/api/docs/*']) {
    app.get(url, { exposeHeadRoute: false }, async (request, reply) => {
      const answer = await (await docs()).inject({ method: 'GET', url: request.url, headers: keptBy(request) });
      if (answer.statusCode >= 500) throw new Error(`The API documentation answered ${answer.statusCode}.`);
      if (answer.statusCode >= 400) throw new AppError('not_found', 'There is nothing at this address.');
      for (const [name, value] of Object.entries(answer.headers))
        if (!OF_A_CONNECTION.includes(name)) reply.header(name, value);
      return reply.headers(API_DOCS_HEADERS).code(answer.statusCode).send(answer.rawPayload);
    });
  }
  app.addHook('onRoute', (route) => void described.push(route));
}
