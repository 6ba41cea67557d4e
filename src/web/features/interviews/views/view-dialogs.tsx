import { useState } from 'react';
import { MAX_VIEW_NAME_LENGTH } from '#contracts/rules/limits.ts';
import type { SavedView } from '#contracts/saved-views.ts';
import type { InterviewFilters } from '#web/features/interviews/interview-filters.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';
import { useRenameView, useSaveView, viewQuery } from './saved-views.ts';

export function SaveViewDialog({ filters, onClose }: { filters: InterviewFilters; onClose: () => void }) {
  const save = useSaveView({ onDone: onClose });
  return (
    <ViewNameDialog
      title="Save view"
      action="Save"
      initialName={filters.search.trim()}
      pending={save.isPending}
      onSave={(name) => save.mutate({ body: { name, query: viewQuery(filters) } })}
      onClose={onClose}
    />
  );
}

export function RenameViewDialog({ view, onClose }: { view: SavedView; onClose: () => void }) {
  const rename = useRenameView({ onDone: onClose });
  return (
    <ViewNameDialog
      title="Rename view"
      action="Rename"
      initialName={view.name}
      pending={rename.isPending}
      onSave={(name) => rename.mutate({ params: { id: view.id }, body: { name } })}
      onClose={onClose}
    />
  );
}

interface NameProps {
  title: string;
  /** The label of the button that saves. */
  action: string;
  initialName: string;
  pending: boolean;
  onSave: (name: string) => void;
  onClose: () => void;
}

/** Asks for the name of a saved view. */
function ViewNameDialog({ title, action, initialName, pending, onSave, onClose }: NameProps) {
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
