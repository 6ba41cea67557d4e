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
    <MenuItem icon={Link} label="Copy link" onSelect={() => copyInterviewLink(interview.id)} />
    <ShareItem onShare={() => onOpen('share')} />
    <MenuItem icon={Download} label="Export" onSelect={() => onOpen('export')} />
    <SendItem interview={interview} />
    {marks.isWatched(interview) && (
      <MenuItem icon={EyeOff} label="Mark as unwatched" onSelect={() => marks.markUnwatched(interview)} />
    )}
  </DropdownMenu>
);

const ShareItem = ({ onShare }: { onShare: () => void }) =>
  useMay()('POST /api/shares') && <MenuItem icon={Share2} label="Share" onSelect={onShare} />;
