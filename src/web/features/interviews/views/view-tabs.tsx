import { BookmarkPlus, ChevronDown, Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { SavedView } from '#contracts/saved-views.ts';
import { hasInterviewFilters, type InterviewFilters } from '#web/features/interviews/interview-filters.ts';
import { cn } from '#web/lib/cn.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { DropdownMenu, MenuItem } from '#web/ui/overlays/dropdown-menu.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { findShownView, useDeleteView, useSavedViews } from './saved-views.ts';

const SaveViewDialog = lazyPart(() => import('./view-dialogs.tsx').then((m) => m.SaveViewDialog));
const RenameViewDialog = lazyPart(() => import('./view-dialogs.tsx').then((m) => m.RenameViewDialog));

/** The saved views of the account above the list. Empty while there are none. */
export function ViewTabs({ filters }: { filters: InterviewFilters }) {
  const { views, isVisible } = useSavedViews();
  const { dialog, id, open, close } = useDialog(['save-view', 'rename-view']);
  const shown = findShownView(views, filters);
  const renamed = views.find((view) => String(view.id) === id);
  const isUnfiltered = !hasInterviewFilters(filters) && !filters.archived;
  return (
    <>
      {isVisible && (
        <nav aria-label="Saved views" className="mb-3 h-12 border-b border-line md:h-9">
          <ul className="flex h-full gap-1 overflow-x-auto [scrollbar-width:none]">
            <ViewTab href="/" name="All interviews" isShown={isUnfiltered && !shown} />
            {views.map((view) => (
              <ViewTab key={view.id} href={`/?${view.query}`} name={view.name} isShown={view === shown}>
                {view === shown && <ViewMenu view={view} onRename={() => open('rename-view', view.id)} />}
              </ViewTab>
            ))}
          </ul>
        </nav>
      )}
      {dialog === 'save-view' && <SaveViewDialog filters={filters} onClose={close} />}
      {dialog === 'rename-view' && renamed && <RenameViewDialog view={renamed} onClose={close} />}
    </>
  );
}

interface TabProps {
  href: string;
  name: string;
  isShown: boolean;
  children?: ReactNode;
}

const ViewTab = ({ href, name, isShown, children }: TabProps) => (
  <li
    className={cn(
      'flex shrink-0 items-center border-b-2 border-transparent text-sm text-muted',
      isShown ? 'border-ink font-medium text-ink' : 'forced-colors:border-[Canvas]',
    )}
  >
    <Link
      href={href}
      aria-current={isShown ? 'page' : undefined}
      className="flex h-full max-w-56 items-center rounded-md px-2 -outline-offset-2 hover:text-ink"
    >
      <span className="truncate">{name}</span>
    </Link>
    {children}
  </li>
);

function ViewMenu({ view, onRename }: { view: SavedView; onRename: () => void }) {
  const deleteView = useDeleteView();
  return (
    <DropdownMenu
      align="start"
      trigger={
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={`Actions for the view ${view.name}`}
          className="-ml-1.5 forced-colors:ml-1"
        >
          <ChevronDown aria-hidden />
        </Button>
      }
    >
      <MenuItem onSelect={onRename}>
        <Pencil aria-hidden />
        Rename
      </MenuItem>
      <MenuItem destructive onSelect={() => deleteView(view)}>
        <Trash2 aria-hidden />
        Delete
      </MenuItem>
    </DropdownMenu>
  );
}

/** Opens the dialog that saves the filters, unless they are a view already. */
export function SaveViewButton({ filters }: { filters: InterviewFilters }) {
  const { views } = useSavedViews();
  const { open } = useDialog(['save-view']);
  if (findShownView(views, filters)) return null;
  return (
    <Button
      variant="ghost"
      title="Save view"
      onPointerEnter={SaveViewDialog.preload}
      onClick={() => open('save-view')}
      className="lg:px-2"
    >
      <BookmarkPlus aria-hidden />
      <span className="xl:sr-only">Save view</span>
    </Button>
  );
}
