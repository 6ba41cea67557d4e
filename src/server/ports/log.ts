interface LogLine {
  (fields: object, message: string): void;
  (message: string): void;
}

/**
 * The process log: JSON lines for operators, not the System Logs. Fastify's pino logger implements
 * it.
 */
export interface Log {
  debug: LogLine;
  info: LogLine;
  warn: LogLine;
  error: LogLine;
  /** A log that adds `fields` to each of its lines. */
  child(fields: object): Log;
}
