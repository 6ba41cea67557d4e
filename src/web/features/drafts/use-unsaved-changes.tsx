import { type ReactNode, useEffect, useState } from 'react';
import { AlertDialog } from '#web/ui/overlays/alert-dialog.tsx';

interface UnsavedChanges {
  /**
   * Runs `action` immediately when nothing has changed, otherwise after the user has agreed to
   * discard the changes.
   */
  leave: (action: () => void) => void;
  /** The question. Render it inside the dialog that may be left. */
  question: ReactNode;
}

/**
 * While `changed` is true, the user is asked before changes are discarded: by `question` when they
 * leave the form, and by the browser when the tab closes or reloads.
 */
export function useUnsavedChanges(changed: boolean, onDiscard?: () => void): UnsavedChanges {
  const [action, setAction] = useState<(() => void) | null>(null);
  useEffect(() => {
    if (!changed) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [changed]);
  return {
    leave: (action) => (changed ? setAction(() => action) : action()),
    question: (
      <AlertDialog
        open={action !== null}
        onClose={() => setAction(null)}
        title="Discard changes?"
        description="Your changes haven't been saved."
        cancel="Keep editing"
        confirm="Discard"
        destructive
        guardsBack
        onConfirm={() => {
          onDiscard?.();
          action?.();
        }}
      />
    ),
  };
}

/** The fields of a dialog as the user has edited them, with `useUnsavedChanges`. */
export function useEdited<Fields extends object>(stored: Fields) {
  const [before] = useState(stored);
  const [draft, setDraft] = useState(before);
  const changed = JSON.stringify(draft) !== JSON.stringify(before);
  const change = (part: Partial<Fields>) => setDraft({ ...draft, ...part });
  return { draft, change, changed, ...useUnsavedChanges(changed) };
}
