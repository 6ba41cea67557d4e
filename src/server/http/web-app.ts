import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { DASHBOARD_READS, SCREENS } from '#contracts/screens.ts';
import { AppError } from '../app-error.ts';
import type { App } from './app.ts';
import { PAGE_HEADERS } from './security-headers.ts';

const HTML = { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' };
/** Assets carry a hash of their content in their names, so a browser may keep them for ever. */
const A_YEAR = 'public, max-age=31536000, immutable';
/** Lets the browser ask for the first data while it still loads the code that will (RFC 8288; HTML standard, preload). */
const PRELOAD_DASHBOARD = DASHBOARD_READS.map(
  (path) => `<${path}>; rel=preload; as=fetch; crossorigin=use-credentials`,
).join(', ');

/** Serves the built browser application: its assets, its screens, and its 404 card for every path that is neither a screen nor the API's. */
export async function serveWebApp(app: App, folder: string): Promise<void> {
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => null);
  app.setNotFoundHandler((request, reply) => {
    const isScreen = request.method === 'GET' && !/^\/(api|assets|ws|healthz|metrics)(\/|$|\?)/.test(request.url);
    if (page === null || !isScreen) throw new AppError('not_found', 'There is nothing at this address.');
    return reply.code(404).headers(HTML).send(page);
  });
  if (page === null) {
    app.log.warn(`The browser application is not built (${folder}); only the API is served.`);
    return;
  }
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, open: true };
    });
    await scope.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      index: false,
      cacheControl: false,
      setHeaders: (reply) => reply.header('cache-control', A_YEAR),
    });
  });

  for (const screen of SCREENS) {
    app.get(screen, { config: { open: true } }, (request, reply) => {
      // Without a cookie the answers would all be 401, and with filters the list is another one.
      if (request.url === '/' && request.headers.cookie !== undefined) reply.header('link', PRELOAD_DASHBOARD);
      return reply.headers(HTML).send(page);
    });
  }
}
