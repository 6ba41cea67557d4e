import { Download, Ellipsis, EyeOff, Link, Share2 } from 'lucide-react';
import type { Interview } from '#contracts/interviews.ts';
import { SendItem } from '#web/features/ats-pushes/send-item.tsx';
import { copyInterviewLink } from '#web/features/interviews/interview-actions.ts';
import { useMay } from '#web/lib/may.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { DropdownMenu, MenuItem } from '#web/ui/overlays/dropdown-menu.tsx';
import type { Review } from './review/use-review.ts';

interface Props {
  interview: Interview;
  marks: Review['marks'];
  onOpen: (dialog: 'share' | 'export') => void;
}

export const PlayerMenu = ({ interview, marks, onOpen }: Props) => (
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
    <ShareItem onShare={() => onOpen('share')} />
    <MenuItem onSelect={() => onOpen('export')}>
      <Download aria-hidden />
      Export
    </MenuItem>
    <SendItem interview={interview} />
    {marks.isWatched(interview) && (
      <MenuItem onSelect={() => marks.markUnwatched(interview)}>
        <EyeOff aria-hidden />
        Mark as unwatched
      </MenuItem>
    )}
  </DropdownMenu>
);

const ShareItem = ({ onShare }: { onShare: () => void }) =>
  useMay()('POST /api/shares') && (
    <MenuItem onSelect={onShare}>
      <Share2 aria-hidden />
      Share
    </MenuItem>
  );
