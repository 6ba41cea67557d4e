import { Readable } from 'node:stream';
import { ExportQuery, recordPrinting } from '#contracts/exports.ts';
import type { App } from '#server/http/app.ts';
import { attachment } from '#server/http/files/attachment.ts';
import { publicOrigin } from '#server/http/guards/origin.ts';
import { refuseNul } from '#server/http/guards/refuse-nul.ts';
import { signedInUser } from '#server/http/guards/session-guard.ts';
import { route } from '#server/http/route.ts';
import type { Exports } from './exports.service.ts';

/** A client that reads nothing for this long is considered disconnected. */
const STALL_TIMEOUT_MS = 60_000;

interface ExportRoute {
  Querystring: ExportQuery;
}

/** Files are not JSON, so the contracts do not list them. */
export function exportRoutes(app: App, exports: Exports): void {
  route(app, recordPrinting, ({ body }) => exports.recordPrinting(body.interviewIds));
  app.get<ExportRoute>(
    '/api/interviews.csv',
    {
      config: { role: 'reviewer', scope: 'read' },
      exposeHeadRoute: false,
      preValidation: refuseNul,
      schema: { querystring: ExportQuery, summary: 'Exports the interviews of a list as CSV, and logs it' },
    },
    async (request, reply) => {
      const origin = publicOrigin(request);
      const { pieces, close } = await exports.csv(request.query, { reader: signedInUser(request), origin });
      const body = Readable.from(
        endStalled(pieces, () => body.destroy()),
        { objectMode: false, highWaterMark: 1 },
      );
      body.once(
        'close',
        () => void close().catch((error) => request.log.warn({ err: error }, 'an export did not end')),
      );
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', attachment(`interviews ${new Date().toISOString().slice(0, 10)}.csv`))
        .send(body);
    },
  );
}

/** Calls `end` if a chunk is not read in time. */
async function* endStalled(pieces: AsyncIterable<string>, end: () => void): AsyncGenerator<string> {
  for await (const piece of pieces) {
    const timer = setTimeout(end, STALL_TIMEOUT_MS);
    try {
      yield piece;
    } finally {
      clearTimeout(timer);
    }
  }
}
