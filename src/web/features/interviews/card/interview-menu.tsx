import {
  Archive,
  ArchiveRestore,
  Download,
  Ellipsis,
  EyeOff,
  Link,
  MessageCircleQuestionMark,
  Share2,
  Sparkles,
  Trash2,
} from 'lucide-react';
import type { Interview } from '#contracts/interviews.ts';
import {
  copyInterviewLink,
  useArchive,
  useDelete,
  useMarkUnwatched,
  useUnarchive,
} from '#web/features/interviews/interview-actions.ts';
import { useStartBulk } from '#web/features/interviews/selection/use-start-bulk.tsx';
import { fadeOut } from '#web/lib/fade-out.ts';
import { useMay } from '#web/lib/may.ts';
import { openDialog } from '#web/lib/use-dialog.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { DropdownMenu, MenuItem, MenuSeparator } from '#web/ui/overlays/dropdown-menu.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';

const SendItem = lazyPart(() => import('#web/features/ats-pushes/send-item.tsx').then((m) => m.SendItem));

export function InterviewMenu({ interview, onQuestions }: { interview: Interview; onQuestions: () => void }) {
  const archive = useArchive();
  const unarchive = useUnarchive();
  const markUnwatched = useMarkUnwatched();
  /** The card with the focused button disappears: move the focus into the page. */
  const leave = (action: (interview: Interview) => void) => async () => {
    document.querySelector('main')?.focus({ preventScroll: true });
    await fadeOut(document.getElementById(`interview-${interview.id}`)?.closest('li'));
    action(interview);
  };
  const showDeleted = useDelete();
  const process = useStartBulk();
  const may = useMay();
  const mayArchive = may('POST /api/interviews/:id/archive');
  return (
    <DropdownMenu
      trigger={
        <Button variant="ghost" size="icon-sm" aria-label={`Actions for ${interview.title}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuItem onSelect={onQuestions}>
        <MessageCircleQuestionMark aria-hidden />
        View Questions
      </MenuItem>
      {may('POST /api/bulk') && !interview.archived && (
        <MenuItem onSelect={() => process.start({ action: 'process', target: { ids: [interview.id] } })}>
          <Sparkles aria-hidden />
          Process
        </MenuItem>
      )}
      <MenuItem onSelect={() => copyInterviewLink(interview.id)}>
        <Link aria-hidden />
        Copy link
      </MenuItem>
      {may('POST /api/shares') && (
        <MenuItem onSelect={() => openDialog({ name: 'share', id: interview.id })}>
          <Share2 aria-hidden />
          Share
        </MenuItem>
      )}
      <MenuItem onSelect={() => openDialog({ name: 'export', id: interview.id })}>
        <Download aria-hidden />
        Export
      </MenuItem>
      {interview.destinationId !== null && <SendItem interview={interview} />}
      {interview.watched && (
        <MenuItem onSelect={() => markUnwatched(interview)}>
          <EyeOff aria-hidden />
          Mark as unwatched
        </MenuItem>
      )}
      {mayArchive && (
        <>
          {interview.archived ? (
            <MenuItem onSelect={leave(unarchive)}>
              <ArchiveRestore aria-hidden />
              Unarchive
            </MenuItem>
          ) : (
            <MenuItem onSelect={leave(archive)}>
              <Archive aria-hidden />
              Archive
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem destructive onSelect={() => showDeleted(interview)}>
            <Trash2 aria-hidden />
            Delete
          </MenuItem>
        </>
      )}
    </DropdownMenu>
  );
}
