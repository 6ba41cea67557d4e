/**
 * To the thread: open a file of so many bytes (it closes the one before), do something with it, or the bytes it asked for; null when
 * they cannot be read.
 */
export type ToThread =
  | { open: number }
  | { task: string; given: unknown }
  | { read: number; bytes: Uint8Array<ArrayBuffer> | null };

/**
 * From the thread: give me the bytes from `start` to before `end`; I am getting on; or how the task ended. `failed` is what a person
 * should be told, null when there is nothing better to say than that the file cannot be read.
 */
export type FromThread =
  | { read: number; start: number; end: number }
  | { alive: true }
  | { answer: unknown }
  | { failed: string | null };
