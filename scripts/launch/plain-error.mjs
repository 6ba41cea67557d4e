/** An end whose message says everything: it is printed without a stack. */
export class PlainError extends Error {}
