import { useRef, useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { isReadyToSend } from '#web/features/interviews/card/destination-tab.tsx';
import { InterviewDestinationDialog } from '#web/features/interviews/dialogs/destination/interview-destination-dialog.tsx';
import type { InterviewFilters } from '#web/features/interviews/interview-filters.ts';
import { useSteps } from '#web/features/interviews/interview-steps.ts';
import { ShortcutsDialog } from '#web/features/shortcuts/shortcuts-dialog.tsx';
import { runToastAction, toast } from '#web/lib/toast.ts';
import { useBackGuard } from '#web/lib/use-dialog.ts';
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/layout/tabs.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { handlePlayerKey, type PlayerCommands } from './player-keys.ts';
import { ReviewHead } from './review-head.tsx';
import { type ReviewQueue, useReviewQueue } from './use-review-queue.ts';
import { VideoEditing } from './video-editing.tsx';
import { VideoView } from './video-view.tsx';

interface Props {
  interview: Interview;
  /** The filters of the list, which is worked through in its order. */
  filters: InterviewFilters;
  onClose: () => void;
}

export function VideoDialog({ interview, filters, onClose }: Props) {
  const [tab, setTab] = useState('view');
  const [hasSwitched, setHasSwitched] = useState(false);
  const [above, setAbove] = useState<'shortcuts' | 'destination' | null>(null);
  const closeAbove = () => setAbove(null);
  // Back closes what is open above the player first.
  useBackGuard(above !== null, closeAbove);
  const queue = useReviewQueue(interview, filters, onClose);
  const commands = useCommands(interview, queue, setAbove);
  const panels = useRef<HTMLDivElement>(null);
  const switchTo = (name: string) => {
    // The editing keeps the height of the video, so that the dialog does not move.
    if (panels.current) panels.current.style.minHeight = name === 'edit' ? `${panels.current.offsetHeight}px` : '';
    setTab(name);
    setHasSwitched(true);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={interview.title}
      description={[interview.candidateName, interview.candidateEmail].filter(Boolean).join(' · ')}
      size={interview.transcriptionStatus === 'completed' ? '2xl' : 'xl'}
      onKey={(event) => handlePlayerKey(event, commands)}
    >
      <Tabs value={tab} onValueChange={switchTo}>
        <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <TabList label="Video" className="w-full sm:w-56">
            <Tab value="view">View</Tab>
            <Tab value="edit">Edit</Tab>
          </TabList>
          <ReviewHead queue={queue} filters={filters} />
        </div>
        {/* Leaving the tab unmounts the player, which pauses it. */}
        <div ref={panels}>
          <TabPanel value="view">
            <VideoView key={interview.id} interview={interview} takesFocus={!hasSwitched} />
          </TabPanel>
          <TabPanel value="edit">
            <VideoEditing />
          </TabPanel>
        </div>
      </Tabs>
      {above === 'shortcuts' && <ShortcutsDialog onClose={closeAbove} />}
      {above === 'destination' && <InterviewDestinationDialog interview={interview} onClose={closeAbove} />}
    </Dialog>
  );
}

function useCommands(
  interview: Interview,
  queue: ReviewQueue,
  openAbove: (dialog: 'shortcuts' | 'destination') => void,
): PlayerCommands {
  const steps = useSteps(interview.id);
  const { summaryStatus } = interview;
  return {
    '?': () => openAbove('shortcuts'),
    n: queue.showNext,
    p: queue.showPrevious,
    e: queue.archiveAndContinue,
    u: runToastAction,
    s: () => {
      if (summaryStatus !== 'completed' && summaryStatus !== 'in-progress') steps.summarize.start();
    },
    d: () => {
      if (isReadyToSend(interview)) openAbove('destination');
      else toast({ title: 'Convert the video and generate the transcript and summary first.' });
    },
  };
}
