import { type FormEvent, type ReactNode, useState } from 'react';
import { RestoredNote } from '#web/features/drafts/restored-note.tsx';
import type { useDraft } from '#web/features/drafts/use-draft.ts';
import { useUnsavedChanges } from '#web/features/drafts/use-unsaved-changes.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';
import type { LoadedText, TextKind } from './use-text.ts';

export interface EditorProps {
  title: string;
  description: string;
  size: 'lg';
  kind: TextKind;
  id: string;
  /** Where the tab stores unsaved text (`useDraftKey`). */
  draftKey: string;
  stored: LoadedText;
  onSaved: () => void;
  onCancel: () => void;
  onClose: () => void;
}

interface Props extends Omit<EditorProps, 'onSaved'> {
  draft: Pick<ReturnType<typeof useDraft>, 'changed' | 'restored' | 'theirs' | 'discard' | 'forget'>;
  isSaving: boolean;
  onSubmit: () => void;
  /** Adds a text to the edited one. */
  onInsert?: (text: string) => void;
  children: ReactNode;
}

/** The dialog around an editor. It asks before it discards changes, and shows newer versions. */
export function EditorDialog({
  kind,
  stored,
  draft,
  isSaving,
  onSubmit,
  onInsert,
  onCancel,
  onClose,
  children,
  ...head
}: Props) {
  const { changed, restored, theirs, discard, forget } = draft;
  const { leave, question } = useUnsavedChanges(changed, forget);
  // The version of someone else that the keyboard has already tried to replace.
  const [warnedOf, setWarnedOf] = useState<string | null>(null);
  const submit = ({ nativeEvent }: FormEvent) => {
    const isByKeyboard = !((nativeEvent as SubmitEvent).submitter instanceof HTMLButtonElement);
    if (theirs && isByKeyboard && warnedOf !== stored.version) setWarnedOf(stored.version);
    else if (!isSaving) onSubmit();
  };
  return (
    <FormDialog
      title={head.title}
      description={head.description}
      size={head.size}
      action={isSaving ? 'Saving...' : theirs ? 'Save Anyway' : 'Save'}
      pending={isSaving}
      guardsBack={changed}
      onSubmit={submit}
      onClose={() => leave(onClose)}
      onCancel={() => leave(onCancel)}
      above={
        <>
          {restored && !theirs && <RestoredNote onDiscard={discard} />}
          {theirs && !isSaving && (
            <OtherVersion
              kind={kind}
              theirs={stored.text}
              isWarned={warnedOf === stored.version}
              onInsert={onInsert && (() => onInsert(stored.text))}
            />
          )}
          {question}
        </>
      }
    >
      {children}
    </FormDialog>
  );
}

interface OtherVersionProps {
  kind: TextKind;
  theirs: string;
  isWarned: boolean;
  onInsert: (() => void) | undefined;
}

/**
 * Shows the version that another user or a step has stored in the meantime, so that the user can
 * compare both texts before saving.
 */
function OtherVersion({ kind, theirs, isWarned, onInsert }: OtherVersionProps) {
  return (
    <Alert tone="danger" title={`Someone else edited this ${kind} while you were writing`} className="mb-3">
      <p>Your text is below. Saving will replace this version:</p>
      {isWarned && <p className="font-medium">Press Ctrl+Enter again to replace it.</p>}
      <Textarea readOnly aria-label={`The stored ${kind}`} value={theirs} className="mt-2 max-h-40" />
      {onInsert && (
        <Button size="sm" className="mt-2" onClick={onInsert}>
          Insert theirs
        </Button>
      )}
    </Alert>
  );
}
