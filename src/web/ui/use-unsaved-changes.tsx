import { type ReactNode, useEffect, useState } from 'react';
import { DiscardChangesDialog } from '#web/ui/discard-changes-dialog.tsx';

interface Unsaved {
  /** Leaves by `go`: at once when nothing has changed, otherwise after somebody has agreed to lose their words. */
  leave: (go: () => void) => void;
  /** Belongs into the dialog that may be left. */
  question: ReactNode;
}

/** While `changed`, nobody throws away by mistake what they have written; the browser asks before it closes the tab or loads it again. */
export function useUnsavedChanges(changed: boolean, onDiscard?: () => void): Unsaved {
  const [go, setGo] = useState<(() => void) | null>(null);
  useEffect(() => {
    if (!changed) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [changed]);
  return {
    leave: (go) => (changed ? setGo(() => go) : go()),
    question: (
      <DiscardChangesDialog
        open={go !== null}
        onOpenChange={(open) => open || setGo(null)}
        onDiscard={() => {
          onDiscard?.();
          go?.();
        }}
      />
    ),
  };
}
