import { sql } from 'kysely';
import { AppError } from '../app-error.ts';
import type { Database } from '../db/database.ts';
import type { App } from './app.ts';

/** `GET /healthz`: 200 once the process can serve, 503 while its database does not answer. */
export function serveHealth(app: App, db: Database): void {
  app.get('/healthz', { config: { open: true } }, async () => {
    await sql`SELECT 1`.execute(db).catch((cause) => {
      throw new AppError('unavailable', 'The database does not answer.', { cause, retryAfterSeconds: 5 });
    });
    return { status: 'ok' };
  });
}
