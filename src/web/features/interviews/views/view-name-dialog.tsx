import { useState } from 'react';
import { MAX_VIEW_NAME_LENGTH } from '#contracts/rules/limits.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';

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
  const [name, setName] = useState(initialName);
  const [rejected, setRejected] = useState(false);
  const submit = () => {
    if (name.trim()) onSave(name.trim());
    else setRejected(true);
  };
  return (
    <FormDialog
      title={title}
      description="Only you see your views."
      size="sm"
      action={action}
      pending={pending}
      onSubmit={submit}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
