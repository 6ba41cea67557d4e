import type { SavedView } from '#contracts/saved-views.ts';
import type { InterviewFilters } from '#web/features/interviews/interview-filters.ts';
import { useRenameView, useSaveView, viewQuery } from './saved-views.ts';
import { ViewNameDialog } from './view-name-dialog.tsx';

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
