/** The beginning of the storage keys of drafts. */
export const DRAFT_PREFIX = 'draft ';

/** True when this tab keeps unsaved text of a session that ended without a sign-out. */
export const hasDrafts = (): boolean => Object.keys(sessionStorage).some((key) => key.startsWith(DRAFT_PREFIX));
