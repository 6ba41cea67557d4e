import { z } from 'zod';

export const MANIFEST = 'manifest.json';
/** The last member: a backup without it is not whole. */
export const CHECKSUMS = 'checksums.json';

const Table = z.object({ name: z.string().regex(/^[a-z_][a-z0-9_]*$/), columns: z.array(z.string()).min(1) });
export type Table = z.infer<typeof Table>;

/** The first member of a backup. */
export const Manifest = z.object({
  format: z.literal('video-interview-management backup'),
  formatVersion: z.literal(1),
  productVersion: z.string(),
  createdAt: z.iso.datetime(),
  /** The migrations that its database had seen. */
  migrations: z.array(z.string()).min(1),
  /** In an order in which rows may be inserted. */
  tables: z.array(Table),
  /** Ids of the encryption keys that open what is sealed in it. */
  keyIds: z.array(z.string()),
  withSecrets: z.boolean(),
});
export type Manifest = z.infer<typeof Manifest>;

const Member = z.object({ size: z.int().min(0), sha256: z.string() });
export const Checksums = z.object({
  members: z.record(z.string(), Member),
  rows: z.record(z.string(), z.int().min(0)),
  /** Files that were removed while the backup was made, by their member names. */
  missingFiles: z.array(z.string()),
});
export type Checksums = z.infer<typeof Checksums>;

const NAMES =
  /^(?:manifest\.json|checksums\.json|database\/[a-z0-9_]+\/\d{6}\.ndjson|files\/(?:videos|thumbnails)\/[A-Za-z0-9_-][A-Za-z0-9._-]*|secrets\/(?:encryption-keys|session-secret))$/;
export const isMemberName = (name: string): boolean => NAMES.test(name);
