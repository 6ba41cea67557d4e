import { sql } from 'kysely';
import type { Executor } from './database.ts';

/**
 * Held exclusively while unreferenced files are removed, and shared while a page of a refresh is
 * written. So the removal sees an interview that gets a file again, or the refresh finds the file
 * missing and downloads it.
 */
const FILE_REMOVAL_LOCK = 5_001_870_211;

/** No page of a refresh is written until the transaction ends. */
export const lockFileRemoval = (tx: Executor) => sql`SELECT pg_advisory_xact_lock(${FILE_REMOVAL_LOCK})`.execute(tx);

/** Keeps files from being removed until the transaction ends. */
export const delayFileRemoval = (tx: Executor) =>
  sql`SELECT pg_advisory_xact_lock_shared(${FILE_REMOVAL_LOCK})`.execute(tx);

/**
 * Held exclusively while a candidate is erased, and shared while a page of a refresh is written,
 * which might bring them back.
 */
export const ERASURE_LOCK = 5_001_870_212;

/**
 * Waits for the page of a refresh that is being written, and blocks further pages until the
 * transaction ends. Call it before the first read of an erasure.
 */
export const lockErasure = (tx: Executor) => sql`SELECT pg_advisory_xact_lock(${ERASURE_LOCK})`.execute(tx);

/**
 * Blocks erasures until the transaction ends. This is a separate statement, so that the next one
 * sees what the last erasure committed.
 */
export const blockErasures = (tx: Executor) => sql`SELECT pg_advisory_xact_lock_shared(${ERASURE_LOCK})`.execute(tx);

/**
 * Held exclusively while encryption keys are rotated, and shared from encrypting a value until it
 * is stored.
 */
export const ROTATION_LOCK = 5_001_870_213;

/**
 * Keeps the encryption keys unchanged until the transaction ends. Call it before encrypting a
 * value.
 */
export const lockKeyRotation = (tx: Executor) => sql`SELECT pg_advisory_xact_lock_shared(${ROTATION_LOCK})`.execute(tx);

/**
 * Makes two refreshes of a funnel write their pages one after the other. A user's refresh starts
 * while an automatic one is being canceled, and both would insert the same interviews.
 */
export const lockFunnelMerge = (tx: Executor, funnelId: number) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('merge', ${funnelId}))`.execute(tx);

/** Serializes concurrent starts of a refresh of all funnels, so that only one succeeds. */
export const lockRefreshQueue = (tx: Executor) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('refresh queue', 0))`.execute(tx);

/**
 * Makes processes that notice the same outage take turns, so that all but the first find its entry
 * in System Logs.
 */
export const lockSharedEntries = (tx: Executor) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('shared entries', 0))`.execute(tx);

/** Serializes the comments of a link, so that their number never exceeds the limit. */
export const lockShareComments = (tx: Executor, shareId: number) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('comments', ${shareId}))`.execute(tx);
