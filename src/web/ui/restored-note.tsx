/** Says that what stands in a form comes from the tab's memory, and not from the server. */
export const RestoredNote = () => (
  <p role="status" className="mb-3 text-sm text-warning-ink">
    These are your changes from before, which were not saved yet.
  </p>
);
