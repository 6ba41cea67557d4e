import { type FormEvent, useId, useState } from 'react';
import { MAX_VIEW_NAME_LENGTH } from '#contracts/rules/limits.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';

interface Props {
  title: string;
  /** The label of the button that saves. */
  action: string;
  initialName: string;
  pending: boolean;
  onSave: (name: string) => void;
  onClose: () => void;
}

/** Asks for the name of a saved view. */
export function ViewNameDialog({ title, action, initialName, pending, onSave, onClose }: Props) {
  const formId = useId();
  const [name, setName] = useState(initialName);
  const [rejected, setRejected] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) onSave(name.trim());
    else setRejected(true);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || pending || onClose()}
      title={title}
      description="Only you see your views."
      size="sm"
      startAt={() => document.querySelector<HTMLInputElement>(`[id="${formId}"] input`)}
      footer={
        <>
          <Button disabled={pending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" pending={pending}>
            {action}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate>
        <Field label="Name" required error={rejected && !name.trim() ? 'Enter a name' : undefined}>
          {(control) => (
            <Input
              {...control}
              name="name"
              autoComplete="off"
              maxLength={MAX_VIEW_NAME_LENGTH}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
