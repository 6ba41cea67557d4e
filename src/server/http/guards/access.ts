import type { FastifyInstance } from 'fastify';
import type { Access } from '#contracts/endpoint.ts';

interface DeclaredRoute {
  readonly method: string | readonly string[];
  readonly url: string;
  readonly config?: Partial<Access>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required for every route, like `scope`. */
    role?: Access['role'];
    scope?: Access['scope'];
    needsAllFunnels?: boolean;
  }
  interface FastifyInstance {
    /** Every registered route. */
    declaredRoutes: readonly DeclaredRoute[];
  }
}

/** Makes startup fail if a route was registered without a role and a scope. */
export function requireAccess(app: FastifyInstance): void {
  const routes: DeclaredRoute[] = [];
  app.decorate('declaredRoutes', routes);
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', async () => {
    const isDeclared = ({ config }: DeclaredRoute) => config?.role !== undefined && config.scope !== undefined;
    const undeclared = routes.filter((route) => !isDeclared(route)).map(({ method, url }) => `${method} ${url}`);
    if (undeclared.length > 0)
      throw new Error(`Add config.role and config.scope to these routes: ${undeclared.join(', ')}`);
  });
}

/** Sets the access of all routes that a plugin adds to this scope. */
export function declareAccess(scope: FastifyInstance, access: Access): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, ...access };
  });
}
