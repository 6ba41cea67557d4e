import type { FastifyInstance } from 'fastify';
import type { Access } from '#contracts/endpoint.ts';

interface DeclaredRoute {
  readonly method: string | readonly string[];
  readonly url: string;
  readonly config?: { access?: Access };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required for every route. The session guard treats a route without it as `signed-in`. */
    access?: Access;
  }
  interface FastifyInstance {
    /** Every registered route. */
    declaredRoutes: readonly DeclaredRoute[];
  }
}

/** Makes the start fail when a route has been registered without `config.access`. */
export function requireAccess(app: FastifyInstance): void {
  const routes: DeclaredRoute[] = [];
  app.decorate('declaredRoutes', routes);
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', async () => {
    const undeclared = routes.filter(({ config }) => !config?.access).map(({ method, url }) => `${method} ${url}`);
    if (undeclared.length > 0) throw new Error(`Add config.access to these routes: ${undeclared.join(', ')}`);
  });
}

/** Sets the access of all routes that a plugin adds to this scope. */
export function declareAccess(scope: FastifyInstance, access: Access): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, access };
  });
}
