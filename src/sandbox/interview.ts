/** An interview in the format of the service. Every field except `id` may be missing or null. */
export interface ServiceInterview {
  id: string;
  title?: string | null;
  description?: string | null;
  candidate?: { name?: string | null; email?: string | null; phone?: string | null } | null;
  recordedAt?: string | null;
  createdAt?: string | null;
  updatedAt?: string | null;
  durationSeconds?: number | null;
  url?: string | null;
  /** The sandbox serves paths that begin with `/` and adds its origin to them in lists. */
  videoUrl?: string | null;
  thumbnailUrl?: string | null;
  /** An extension of the contract: a service may supply a transcript. */
  transcript?: string | { text: string; segments?: { start: number; end: number; text: string }[] } | null;
  questions?: { position: number; question: string }[] | null;
}
