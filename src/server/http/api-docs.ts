import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { Access } from '#contracts/endpoint.ts';
import { RELEASE } from '#server/release.ts';
import type { App } from './app.ts';
import { declareAccess } from './guards/access.ts';
import { API_DOCS_POLICY } from './security-headers.ts';

const TITLE = 'Video Interview Management';
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="330" height="40"><text y="26" font-family="sans-serif" font-size="20" fill="#fff">${TITLE}</text></svg>`;

const DESCRIPTION = `Programs call the API with a token, which users create under "API tokens" in the user menu:

    curl -H 'Authorization: Bearer vim_…' https://interviews.example.com/api/interviews

A token has the rights of its account within its scopes: \`read\`, \`write\`, \`process\`, \`logs\`. No scope includes
another. Each call below names the scope that it needs. To try calls with a token, choose Authorize; without one, they
use your session.`;

/** Describes the role and scope that a route requires. */
function describeAccess({ role, scope }: Partial<Access>) {
  if (role === undefined || role === 'open') return {};
  if (!scope) return { description: 'API tokens cannot be used for this call.' };
  return { description: `API tokens need the scope \`${scope}\`.`, security: [{ apiToken: [] }] };
}

/** Serves the OpenAPI description of all routes added later at `/api/docs`, for signed-in users. */
export async function serveApiDocs(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: TITLE, version: RELEASE, description: DESCRIPTION },
      components: { securitySchemes: { apiToken: { type: 'http', scheme: 'bearer' } } },
    },
    transform: (input) => {
      const { schema, ...rest } = jsonSchemaTransform(input);
      // Files and live messages are not part of a contract.
      const tags = schema?.tags ?? ['Other'];
      return { ...rest, schema: { ...schema, tags, ...describeAccess(input.route.config ?? {}) } };
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
