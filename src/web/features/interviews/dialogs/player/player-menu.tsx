import { Ellipsis, EyeOff, Link } from 'lucide-react';
import type { Interview } from '#contracts/interviews.ts';
import { copyInterviewLink } from '#web/features/interviews/interview-actions.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { DropdownMenu, MenuItem } from '#web/ui/overlays/dropdown-menu.tsx';
import type { Review } from './review/use-review.ts';

export const PlayerMenu = ({ interview, marks }: { interview: Interview; marks: Review['marks'] }) => (
  <DropdownMenu
    trigger={
      <Button variant="ghost" size="icon" aria-label="More actions" title="More actions">
        <Ellipsis aria-hidden />
      </Button>
    }
  >
    <MenuItem onSelect={() => copyInterviewLink(interview.id)}>
      <Link aria-hidden />
      Copy link
    </MenuItem>
    {marks.isWatched(interview) && (
      <MenuItem onSelect={() => marks.markUnwatched(interview)}>
        <EyeOff aria-hidden />
        Mark as unwatched
      </MenuItem>
    )}
  </DropdownMenu>
);
