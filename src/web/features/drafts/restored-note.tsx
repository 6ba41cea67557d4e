/** Explains that a form contains a draft kept in this tab, not the stored values. */
export const RestoredNote = () => (
  <p role="status" className="mb-3 text-sm text-warning-ink">
    We restored your unsaved changes.
  </p>
);
