import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { AppError } from '#server/app-error.ts';
import type { App } from './app.ts';
import { declareAccess } from './guards/access.ts';
import { pageHeaders } from './security-headers.ts';

/** The paths of the browser application; any other one gets its 404 card with status 404. */
export const SCREENS = [
  '/',
  '/login',
  '/invitation/:token',
  '/accounts',
  '/links',
  '/webhooks',
  '/compare',
  '/print',
  '/funnels',
  '/system-logs',
  '/test-destination',
] as const;

/** Assets have a hash of their content in their names, so browsers may cache them indefinitely. */
const CACHE_ONE_YEAR = 'public, max-age=31536000, immutable';

/** @param fileOrigin where browsers are redirected to for files, if that is not this server */
export async function serveWebApp(app: App, folder: string, fileOrigin?: string): Promise<void> {
  const html = { ...pageHeaders(fileOrigin), 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' };
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => null);
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' && !/^\/(api|assets|ws|healthz|metrics)(\/|$|\?)/.test(request.url);
    if (page === null || !isPage) throw new AppError('not_found', 'This address does not exist.');
    return reply.code(404).headers(html).send(page);
  });
  if (page === null) {
    app.log.warn(`The browser application is not built (${folder}); only the API is served.`);
    return;
  }
  await app.register(async (scope) => {
    declareAccess(scope, { role: 'open', scope: null });
    await scope.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      index: false,
      cacheControl: false,
      setHeaders: (reply) => reply.header('cache-control', CACHE_ONE_YEAR),
    });
  });
  for (const screen of SCREENS)
    app.get(screen, { config: { role: 'open', scope: null } }, (_request, reply) => reply.headers(html).send(page));
}
