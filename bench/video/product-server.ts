/** The product's own route and guard around a file store. */

import { pino } from 'pino';
import { localFileStore } from '#server/adapters/file-store-local/local-file-store.ts';
import { mediaRoutes } from '#server/features/media/media.routes.ts';
import { buildApp } from '#server/http/app.ts';
import { reportTo } from './server-process.ts';

const files = localFileStore(process.argv[2] ?? '');
const app = await buildApp({
  log: pino({ level: 'error' }),
  trustProxy: false,
  sessions: {
    read: (request) => (request.cookies.session === 'bench' ? { accountId: 1, username: 'bench' } : null),
  },
});
mediaRoutes(app, files, { accelPrefix: undefined });
await app.listen({ port: 0, host: '127.0.0.1' });
reportTo(app.server.address());
