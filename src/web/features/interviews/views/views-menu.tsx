import { BookmarkPlus, Check, ChevronDown, Pencil, Trash2 } from 'lucide-react';
import { Link } from 'wouter';
import { hasInterviewFilters, type InterviewFilters } from '#web/features/interviews/interview-filters.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { DropdownMenu, MenuItem, MenuNote, MenuSeparator } from '#web/ui/overlays/dropdown-menu.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { findOwnReviews, findShownView, OWN_REVIEWS, useDeleteView, useSavedViews } from './saved-views.ts';

const SaveViewDialog = lazyPart(() => import('./view-dialogs.tsx').then((m) => m.SaveViewDialog));
const RenameViewDialog = lazyPart(() => import('./view-dialogs.tsx').then((m) => m.RenameViewDialog));

/** The saved views of the account. The button has the name of the one that is shown. */
export function ViewsButton({ filters }: { filters: InterviewFilters }) {
  const shown = findShownView(useSavedViews(), filters) ?? findOwnReviews(filters);
  return (
    <DropdownMenu
      className="max-w-72"
      trigger={
        <Button variant="ghost" aria-label={shown ? `Views: ${shown.name}` : 'Views'} className="max-w-36 gap-1 px-2">
          <span className="truncate">{shown?.name ?? 'Views'}</span>
          <ChevronDown aria-hidden className="text-faint" />
        </Button>
      }
    >
      <ViewItems filters={filters} />
    </DropdownMenu>
  );
}

/** The items of a menu that opens, saves, renames and deletes views. */
export function ViewItems({ filters }: { filters: InterviewFilters }) {
  const views = useSavedViews();
  const { open } = useDialog(['save-view', 'rename-view']);
  const deleteView = useDeleteView();
  const shown = findShownView(views, filters);
  const hasFilters = hasInterviewFilters(filters);
  return (
    <>
      <MenuNote>Views</MenuNote>
      <ViewItem href="/" name="All interviews" isShown={!shown && !hasFilters && !filters.archived} />
      {OWN_REVIEWS.map(({ name, query }) => (
        <ViewItem key={query} href={`/?${query}`} name={name} isShown={findOwnReviews(filters)?.query === query} />
      ))}
      {views.map((view) => (
        <ViewItem key={view.id} href={`/?${view.query}`} name={view.name} isShown={view === shown} />
      ))}
      <MenuSeparator />
      {shown ? (
        <>
          <MenuItem icon={Pencil} label="Rename view" onSelect={() => open('rename-view', shown.id)} />
          <MenuItem icon={Trash2} label="Delete view" destructive onSelect={() => deleteView(shown)} />
        </>
      ) : (
        <MenuItem icon={BookmarkPlus} label="Save view" disabled={!hasFilters} onSelect={() => open('save-view')} />
      )}
    </>
  );
}

const ViewItem = ({ href, name, isShown }: { href: string; name: string; isShown: boolean }) => (
  <MenuItem asChild>
    <Link href={href} aria-current={isShown ? 'page' : undefined}>
      {isShown ? <Check aria-hidden /> : <span className="size-4 shrink-0" />}
      <span className="min-w-0 truncate">{name}</span>
    </Link>
  </MenuItem>
);

/** The dialogs that the items open. */
export function ViewDialogs({ filters }: { filters: InterviewFilters }) {
  const views = useSavedViews();
  const { dialog, id, close } = useDialog(['save-view', 'rename-view']);
  const renamed = views.find((view) => String(view.id) === id);
  return (
    <>
      {dialog === 'save-view' && <SaveViewDialog filters={filters} onClose={close} />}
      {dialog === 'rename-view' && renamed && <RenameViewDialog view={renamed} onClose={close} />}
    </>
  );
}
