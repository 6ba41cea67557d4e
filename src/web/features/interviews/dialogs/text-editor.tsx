import { useRef, useState } from 'react';
import { TEXT_LIMIT } from '#contracts/rules/limits.ts';
import { ChangedMeanwhile } from '#web/features/interviews/dialogs/changed-meanwhile.tsx';
import { TEXT_KINDS, type TextKind } from '#web/features/interviews/dialogs/text-kinds.ts';
import { useSaveText } from '#web/features/interviews/dialogs/use-save-text.ts';
import { toast } from '#web/lib/toast.tsx';
import { type TextVersion, useDraft } from '#web/lib/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { RestoredNote } from '#web/ui/restored-note.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { useUnsavedChanges } from '#web/ui/use-unsaved-changes.tsx';

interface Props {
  title: string;
  description: string;
  size: 'lg';
  kind: TextKind;
  id: string;
  /** Under which the tab keeps what is not saved yet (`useDraftKey`). */
  draftKey: string;
  stored: TextVersion;
  onSaved: () => void;
  onCancel: () => void;
  onClose: () => void;
}

export function TextEditor({ kind, id, draftKey, stored, onSaved, onCancel, onClose, ...head }: Props) {
  const { draft, setDraft, changed, restored, theirs, forget } = useDraft(draftKey, stored);
  const [refused, setRefused] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const save = useSaveText(kind, id, () => {
    forget();
    onSaved();
  });
  const { leave, question } = useUnsavedChanges(changed, forget);

  const submit = () => {
    if (draft.trim() !== '') {
      save.run(draft, stored.version);
      return;
    }
    setRefused(true);
    area.current?.focus();
    toast({ title: 'Validation Error', description: TEXT_KINDS[kind].empty, variant: 'destructive' });
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => open || save.isPending || leave(onClose)}
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
      {theirs && !save.isPending && <ChangedMeanwhile kind={kind} theirs={theirs.text} />}
      <Textarea
        ref={area}
        aria-label={`${head.title} text`}
        aria-invalid={refused || undefined}
        autoFocus
        maxLength={TEXT_LIMIT}
        value={draft}
        disabled={save.isPending}
        onChange={(event) => {
          setDraft(event.target.value);
          setRefused(false);
        }}
        className="min-h-[50dvh]"
      />
      {question}
    </Dialog>
  );
}
