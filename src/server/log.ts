import { type Logger, pino } from 'pino';

const MAX_CAUSES = 5;

/**
 * Creates the process log: JSON lines on standard output. Errors are reduced to a few fields,
 * because drivers attach whole clients to their errors, and requests contain cookies.
 */
export const createLog = (level: string): Logger =>
  pino({
    level,
    redact: ['req.headers.cookie', 'req.headers.authorization'],
    serializers: { err: (error: unknown) => describeError(error, MAX_CAUSES) },
  });

function describeError(error: unknown, depth: number): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  return {
    name,
    message,
    ...('code' in error && { code: error.code }),
    ...('kind' in error && { kind: error.kind }),
    stack,
    ...(cause !== undefined && depth > 0 && { cause: describeError(cause, depth - 1) }),
  };
}
