/** The command line is not one of those in the usage. */
export class UsageError extends Error {
  override name = 'UsageError';
}
