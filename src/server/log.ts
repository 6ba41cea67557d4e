import { type Logger, pino } from 'pino';

/** How deep causes are followed. */
const DEPTH = 5;

/**
 * The process's log: JSON lines on standard output. Of an error only its name, texts and code are printed: drivers attach whole clients
 * to theirs, and requests carry cookies.
 */
export const createLog = (level: string): Logger =>
  pino({
    level,
    redact: ['req.headers.cookie', 'req.headers.authorization'],
    serializers: { err: (error: unknown) => describeError(error, DEPTH) },
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
