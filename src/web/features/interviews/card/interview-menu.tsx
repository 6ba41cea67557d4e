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
      <MenuItem icon={MessageCircleQuestionMark} label="View Questions" onSelect={onQuestions} />
      {may('POST /api/bulk') && !interview.archived && (
        <MenuItem
          icon={Sparkles}
          label="Process"
          onSelect={() => process.start({ action: 'process', target: { ids: [interview.id] } })}
        />
      )}
      <MenuItem icon={Link} label="Copy link" onSelect={() => copyInterviewLink(interview.id)} />
      {may('POST /api/shares') && (
        <MenuItem icon={Share2} label="Share" onSelect={() => openDialog({ name: 'share', id: interview.id })} />
      )}
      <MenuItem icon={Download} label="Export" onSelect={() => openDialog({ name: 'export', id: interview.id })} />
      {interview.destinationId !== null && <SendItem interview={interview} />}
      {interview.watched && (
        <MenuItem icon={EyeOff} label="Mark as unwatched" onSelect={() => markUnwatched(interview)} />
      )}
      {mayArchive && (
        <>
          {interview.archived ? (
            <MenuItem icon={ArchiveRestore} label="Unarchive" onSelect={leave(unarchive)} />
          ) : (
            <MenuItem icon={Archive} label="Archive" onSelect={leave(archive)} />
          )}
          <MenuSeparator />
          <MenuItem icon={Trash2} label="Delete" destructive onSelect={() => showDeleted(interview)} />
        </>
      )}
    </DropdownMenu>
  );
}
