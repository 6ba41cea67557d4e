import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type RouteOptions } from 'fastify';
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { App } from './app.ts';

/** An application that only describes these routes; it serves nothing but `/api/docs`. */
export async function buildApiDocs(routes: readonly RouteOptions[]): Promise<App> {
  const app: App = Fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Video Interview Management', version: '2.0.0' } },
    transform: jsonSchemaTransform,
  });
  for (const { method, url, schema } of routes)
    if (method !== 'HEAD') app.route({ method, url, ...(schema && { schema }), handler: () => undefined });
  await app.register(swaggerUi, { routePrefix: '/api/docs', uiConfig: { validatorUrl: null } });
  await app.ready();
  return app;
}
