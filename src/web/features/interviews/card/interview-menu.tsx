import { Archive, Ellipsis, MessageCircleQuestionMark, Trash2 } from 'lucide-react';
import type { Interview } from '#contracts/interviews.ts';
import { useArchive, useDelete } from '#web/features/interviews/interview-actions.ts';
import { Button } from '#web/ui/button.tsx';
import { DropdownMenu, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx';

export function InterviewMenu({ interview, onQuestions }: { interview: Interview; onQuestions: () => void }) {
  const archive = useArchive();
  const remove = useDelete();
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
      <MenuItem
        onSelect={() => {
          // The card with the focused button is about to go: the focus must not fall out of the page.
          document.querySelector('main')?.focus({ preventScroll: true });
          archive.mutate({ params: { id: interview.id } });
        }}
      >
        <Archive aria-hidden />
        Archive
      </MenuItem>
      <MenuSeparator />
      <MenuItem destructive onSelect={() => remove(interview)}>
        <Trash2 aria-hidden />
        Delete
      </MenuItem>
    </DropdownMenu>
  );
}
