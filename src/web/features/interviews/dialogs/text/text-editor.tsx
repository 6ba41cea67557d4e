import { useId, useRef, useState } from 'react';
import { MAX_TEXT_LENGTH } from '#contracts/rules/limits.ts';
import { useDraft } from '#web/features/drafts/use-draft.ts';
import { toast } from '#web/lib/toast.ts';
import { FieldError } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { EditorDialog, type EditorProps } from './editor-dialog.tsx';
import { TEXT_KINDS, useSaveText } from './use-text.ts';

/** Edits a transcript, or a summary without sections, as one text. */
export function TextEditor({ onSaved, ...props }: EditorProps) {
  const { kind, id, draftKey, stored, title } = props;
  const draft = useDraft(draftKey, stored);
  const [isInvalid, setIsInvalid] = useState(false);
  const errorId = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const save = useSaveText(kind, id, () => {
    draft.forget();
    onSaved();
  });

  const submit = () => {
    if (draft.draft.trim() !== '') {
      save.save(draft.draft, stored.version);
      return;
    }
    setIsInvalid(true);
    area.current?.focus();
    toast({ title: 'Validation Error', description: TEXT_KINDS[kind].empty, variant: 'destructive' });
  };

  const insertAtCursor = (text: string) => {
    const field = area.current;
    if (!field) return;
    field.focus();
    field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
    draft.setDraft(field.value);
  };

  return (
    <EditorDialog {...props} draft={draft} isSaving={save.isPending} onSubmit={submit} onInsert={insertAtCursor}>
      <Textarea
        ref={area}
        aria-label={`${title} text`}
        aria-invalid={isInvalid || undefined}
        aria-describedby={isInvalid ? errorId : undefined}
        autoFocus
        maxLength={MAX_TEXT_LENGTH}
        value={draft.draft}
        disabled={save.isPending}
        onChange={(event) => {
          draft.setDraft(event.target.value);
          setIsInvalid(false);
        }}
        className="min-h-[50dvh]"
      />
      {isInvalid && <FieldError id={errorId}>Enter some text to save, or cancel</FieldError>}
    </EditorDialog>
  );
}
