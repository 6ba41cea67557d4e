import { z } from 'zod';

/** A backup cannot be made or restored. The message contains the reason and what to do. */
export class BackupError extends Error {
  override name = 'BackupError';
}

export const MANIFEST = 'manifest.json';
/** After all other members but the signature: a backup without it is incomplete. */
export const CHECKSUMS = 'checksums.json';
/** The last member: authenticates the checksums, and with them all members. */
export const SIGNATURE = 'checksums.hmac';

const Table = z.object({ name: z.string().regex(/^[a-z_][a-z0-9_]*$/), columns: z.array(z.string()).min(1) });
export type Table = z.infer<typeof Table>;

/** The content of the first member. */
export const Manifest = z.object({
  format: z.literal('video-interview-management backup'),
  /** Backups of version 1 have no signature. */
  formatVersion: z.literal([1, 2]),
  productVersion: z.string(),
  createdAt: z.iso.datetime(),
  /** The migrations that were applied to the database. */
  migrations: z.array(z.string()).min(1),
  /** In the order in which rows are inserted. */
  tables: z.array(Table),
  /** Ids of the encryption keys that decrypt its values. */
  keyIds: z.array(z.string()),
  withSecrets: z.boolean(),
  /** False for the database alone: the files are in their store. */
  withFiles: z.boolean().default(true),
});
export type Manifest = z.infer<typeof Manifest>;

const Member = z.object({ size: z.int().min(0), sha256: z.string() });
export const Checksums = z.object({
  members: z.record(z.string(), Member),
  rows: z.record(z.string(), z.int().min(0)),
  /** Member names of files that were removed while the backup was made. */
  missingFiles: z.array(z.string()),
});
export type Checksums = z.infer<typeof Checksums>;

const NAMES =
  /^(?:manifest\.json|checksums\.(?:json|hmac)|database\/[a-z0-9_]+\/\d{6}\.ndjson|files\/(?:videos|thumbnails)\/[A-Za-z0-9_-][A-Za-z0-9._-]*|secrets\/(?:encryption-keys|session-secret))$/;
export const isMemberName = (name: string): boolean => NAMES.test(name);
