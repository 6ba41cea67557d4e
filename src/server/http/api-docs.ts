import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { RELEASE } from '#server/release.ts';
import type { App } from './app.ts';
import { declareAccess } from './guards/access.ts';
import { API_DOCS_POLICY } from './security-headers.ts';

const TITLE = 'Video Interview Management';
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="330" height="40"><text y="26" font-family="sans-serif" font-size="20" fill="#fff">${TITLE}</text></svg>`;

/** Serves the OpenAPI description of all routes added later at `/api/docs`, for signed-in users. */
export async function serveApiDocs(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: TITLE, version: RELEASE } },
    transform: (input) => {
      const { schema, ...rest } = jsonSchemaTransform(input);
      // Files and live messages are not part of a contract.
      return { ...rest, schema: { ...schema, tags: schema?.tags ?? ['Other'] } };
    },
  });
  await app.register(async (scope) => {
    declareAccess(scope, { role: 'reviewer', scope: 'read' });
    await scope.register(swaggerUi, {
      routePrefix: '/api/docs',
      uiConfig: { validatorUrl: null },
      staticCSP: API_DOCS_POLICY,
      theme: { title: TITLE },
      logo: { type: 'image/svg+xml', content: Buffer.from(LOGO) },
    });
  });
}
