import { useRef, useState } from 'react';
import { MAX_TEXT_LENGTH } from '#contracts/rules/limits.ts';
import { RestoredNote } from '#web/features/drafts/restored-note.tsx';
import { useDraft, type VersionedText } from '#web/features/drafts/use-draft.ts';
import { useUnsavedChanges } from '#web/features/drafts/use-unsaved-changes.tsx';
import { toast } from '#web/lib/toast.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { TEXT_KINDS, type TextKind, useSaveText } from './use-text.ts';

interface Props {
  title: string;
  description: string;
  size: 'lg';
  kind: TextKind;
  id: string;
  /** Where the tab stores unsaved text (`useDraftKey`). */
  draftKey: string;
  stored: VersionedText;
  onSaved: () => void;
  onCancel: () => void;
  onClose: () => void;
}

export function TextEditor({ kind, id, draftKey, stored, onSaved, onCancel, onClose, ...head }: Props) {
  const { draft, setDraft, changed, restored, theirs, forget } = useDraft(draftKey, stored);
  const [isInvalid, setIsInvalid] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const save = useSaveText(kind, id, () => {
    forget();
    onSaved();
  });
  const { leave, question } = useUnsavedChanges(changed, forget);

  const submit = () => {
    if (draft.trim() !== '') {
      save.save(draft, stored.version);
      return;
    }
    setIsInvalid(true);
    area.current?.focus();
    toast({ title: 'Validation Error', description: TEXT_KINDS[kind].empty, variant: 'destructive' });
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => open || save.isPending || leave(onClose)}
      guardsBack={changed || save.isPending}
      {...head}
      footer={
        <>
          <Button disabled={save.isPending} onClick={() => leave(onCancel)}>
            Cancel
          </Button>
          <Button variant="primary" pending={save.isPending} onClick={submit}>
            {save.isPending ? 'Saving...' : theirs ? 'Save Anyway' : 'Save'}
          </Button>
        </>
      }
    >
      {restored && !theirs && <RestoredNote />}
      {theirs && !save.isPending && <OtherVersion kind={kind} theirs={theirs.text} />}
      <Textarea
        ref={area}
        aria-label={`${head.title} text`}
        aria-invalid={isInvalid || undefined}
        autoFocus
        maxLength={MAX_TEXT_LENGTH}
        value={draft}
        disabled={save.isPending}
        onChange={(event) => {
          setDraft(event.target.value);
          setIsInvalid(false);
        }}
        className="min-h-[50dvh]"
      />
      {question}
    </Dialog>
  );
}

/**
 * Shows the version that another user or a step has stored in the meantime, so that neither text is
 * lost unseen.
 */
function OtherVersion({ kind, theirs }: { kind: TextKind; theirs: string }) {
  return (
    <Alert tone="danger" title={`Someone else edited this ${kind} while you were writing`} className="mb-3">
      <p>Your text is below. Saving will replace this version:</p>
      <Textarea readOnly aria-label={`The stored ${kind}`} value={theirs} className="mt-2 max-h-40" />
    </Alert>
  );
}
