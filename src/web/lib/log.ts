/** Logs a problem that only concerns developers. The page continues to work. */
export function logError(message: string, cause?: unknown): void {
  // biome-ignore lint/suspicious/noConsole: a place that writes to the console
  console.error(message, cause ?? '');
}

export function logWarning(message: string): void {
  // biome-ignore lint/suspicious/noConsole: the other place that writes to the console
  console.warn(message);
}
