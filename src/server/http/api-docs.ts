import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { App } from './app.ts';
import { API_DOCS_POLICY } from './security-headers.ts';

/** Serves the OpenAPI description of all routes added later at `/api/docs`, for signed-in users. */
export async function serveApiDocs(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Video Interview Management', version: '2.0.0' } },
    transform: jsonSchemaTransform,
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    uiConfig: { validatorUrl: null },
    staticCSP: API_DOCS_POLICY,
  });
}
