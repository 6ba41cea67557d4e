import { type DestinationStream, type Logger, pino } from 'pino';
import { maskSecrets } from './ports/sent-secrets.ts';
import { reportedKind } from './ports/upstream-error.ts';
import { currentActor } from './request-context.ts';

const MAX_CAUSES = 5;

/**
 * Creates the process log: JSON lines on standard output, with the account and the address that the
 * work is done for. Errors are reduced to a few fields, because drivers attach whole clients to
 * their errors, and requests contain cookies.
 */
export const createLog = (level: string, out: DestinationStream = pino.destination(1)): Logger =>
  pino(
    {
      level,
      redact: ['req.headers.cookie', 'req.headers.authorization'],
      hooks: { streamWrite: maskSecrets },
      serializers: { err: (error: unknown) => describeError(error, MAX_CAUSES) },
      mixin: () => {
        const { accountId, address } = currentActor();
        return { ...(accountId !== null && { account: accountId }), ...(address !== null && { address }) };
      },
    },
    out,
  );

function describeError(error: unknown, depth: number): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  return {
    name,
    message,
    ...('code' in error && { code: error.code }),
    ...('kind' in error && { kind: reportedKind(error.kind) }),
    stack,
    ...(cause !== undefined && depth > 0 && { cause: describeError(cause, depth - 1) }),
  };
}
