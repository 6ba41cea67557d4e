/**
 * Sent to the thread: a request to open a file of this size and close the previous one, a request
 * to run a task, or the requested bytes (null if they cannot be read).
 */
export type ToThread =
  | { open: number }
  | { task: string; input: unknown }
  | { read: number; bytes: Uint8Array<ArrayBuffer> | null };

/**
 * Sent by the thread: a request for the bytes from `start` to before `end`, a sign of progress, or
 * the end of the task. `failed` is a message for users, or null if the file just cannot be read.
 */
export type FromThread =
  | { read: number; start: number; end: number }
  | { progress: true }
  | { response: unknown }
  | { failed: string | null };
