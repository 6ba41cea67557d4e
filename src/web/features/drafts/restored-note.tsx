import { Button } from '#web/ui/forms/button.tsx';

/** Explains that a form contains a draft kept in this tab, not the stored values. */
export const RestoredNote = ({ onDiscard }: { onDiscard: () => void }) => (
  <div className="mb-3 flex flex-wrap items-center gap-x-3 text-sm">
    <p role="status" className="text-warning-ink">
      We restored your unsaved changes.
    </p>
    <Button variant="link" size="sm" onClick={onDiscard}>
      Discard
    </Button>
  </div>
);
