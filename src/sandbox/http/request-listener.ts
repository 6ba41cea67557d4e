import type { RequestListener } from 'node:http';
import type { FaultList, FaultSubject } from '#sandbox/faults/fault-list.ts';
import { failedInGeneral } from '#sandbox/faults/general-faults.ts';
import { Exchange } from './exchange.ts';
import type { Journal } from './journal.ts';
import { type Mount, mountFor } from './mount.ts';

/** Passes each request to its mount after applying the faults. */
export function requestListener(mounts: readonly Mount[], faults: FaultList, journal: Journal): RequestListener {
  return async (request, response) => {
    const mount = mountFor(mounts, (request.url ?? '/').split('?', 1)[0] ?? '/');
    const exchange = new Exchange(request, response, {
      journal: mount?.isInternal ? null : journal,
      faultsFor: (exchange) => faults.for(() => subjectOf(mount, exchange)),
    });
    try {
      await respond(exchange, mount);
    } catch (error) {
      report(exchange, error);
    }
  };

  async function respond(exchange: Exchange, mount: Mount | undefined): Promise<void> {
    if (!mount) {
      return exchange.fail(404, 'not_found', `The sandbox has ${mounts.map(({ prefix }) => prefix).join(', ')}.`);
    }
    if (!mount.isInternal && (await failedInGeneral(exchange))) return;
    await mount.handle(exchange);
  }
}

/** Reports a bug of the sandbox, so that it is not mistaken for a requested fault. */
function report(exchange: Exchange, error: unknown): void {
  process.stderr.write(`Sandbox: ${error instanceof Error ? error.stack : String(error)}\n`);
  if (exchange.response.headersSent) exchange.reset();
  else exchange.fail(500, 'sandbox_is_broken', String(error));
}

const subjectOf = (mount: Mount | undefined, { path, query }: Exchange): FaultSubject => ({
  mount: mount?.name ?? '',
  path,
  funnelId: mount?.funnelIdOf?.(path) ?? null,
  page: mount?.name === 'interviews' ? Number(query.get('page') ?? '1') : null,
});
