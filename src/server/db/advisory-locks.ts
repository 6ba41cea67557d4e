/**
 * Held exclusively while files are removed that no interview names, and shared while a page of a refresh is written: an interview that
 * comes back, or gets its old address again, is either seen by the removal, which leaves its files, or finds them gone and fetches them.
 * The number is ours alone in this database.
 */
export const FILE_REMOVAL_LOCK = 5_001_870_211;

/** Held exclusively while a candidate is erased, and shared while a page of a refresh is written: none of them brings the erased back. */
export const ERASURE_LOCK = 5_001_870_212;

/** Held exclusively while encryption keys are rotated, and shared from sealing something until it is stored. */
export const ROTATION_LOCK = 5_001_870_213;
