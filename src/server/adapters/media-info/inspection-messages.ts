/** To the thread: look into a file of this size, or the bytes it asked for; null when they cannot be read. */
export type ToInspection = { inspect: { size: number } } | { bytes: Uint8Array<ArrayBuffer> | null; read: number };

/** From the thread: give me bytes from `start` to before `end`, or what was found. */
export type FromInspection = { read: number; start: number; end: number } | { found: number | null };
