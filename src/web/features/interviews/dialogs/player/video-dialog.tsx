import { Link } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { hasAllSteps } from '#contracts/rules/badges.ts';
import { InterviewDestinationDialog } from '#web/features/interviews/dialogs/destination/interview-destination-dialog.tsx';
import { copyInterviewLink } from '#web/features/interviews/interview-actions.ts';
import type { InterviewFilters } from '#web/features/interviews/interview-filters.ts';
import { type Steps, useSteps } from '#web/features/interviews/interview-steps.ts';
import { ShortcutsDialog } from '#web/features/shortcuts/shortcuts-dialog.tsx';
import { runToastAction, toast } from '#web/lib/toast.ts';
import { useBackGuard } from '#web/lib/use-dialog.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/layout/tabs.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { handlePlayerKey, type PlayerCommands } from './player-keys.ts';
import { ReviewHead } from './review-head.tsx';
import type { PanelName } from './side-panel.tsx';
import { type AnsweredQuestion, useAnswers } from './use-answers.ts';
import { useFollowingVideo } from './use-following-video.ts';
import { useMarkWatched } from './use-mark-watched.ts';
import { useRecordPlaying } from './use-record-playing.ts';
import { type ReviewQueue, useReviewQueue } from './use-review-queue.ts';
import { VideoEditing } from './video-editing.tsx';
import { VideoView } from './video-view.tsx';

interface Props {
  interview: Interview;
  /** The filters of the list, whose interviews the player shows in their order. */
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
  const [panel, setPanel] = useState<PanelName>(interview.match?.field === 'summary' ? 'summary' : 'transcript');
  const questions = useAnswers(interview);
  const markWatched = useMarkWatched();
  const queue = useReviewQueue(interview, filters, { onArchive: markWatched, onClose });
  const recordPlaying = useRecordPlaying(interview.id);
  const loadFollowing = useFollowingVideo(queue.following);
  const steps = useSteps(interview.id);
  const commands = {
    ...commandsOf(interview, queue, { steps, openAbove: setAbove, showPanel: setPanel }),
    ...digits(questions, () => setPanel('questions')),
  };
  const panels = useRef<HTMLDivElement>(null);
  const switchTo = (name: string) => {
    // The Edit tab is as high as the View tab, so that the dialog keeps its size.
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
      size="2xl"
      onKey={(event) => handlePlayerKey(event, commands)}
    >
      <Tabs value={tab} onValueChange={switchTo}>
        <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 max-sm:mb-3">
          <TabList label="Video" className="w-0 grow sm:w-44 sm:grow-0 lg:w-56">
            <Tab value="view">View</Tab>
            <Tab value="edit">Edit</Tab>
          </TabList>
          <ReviewHead queue={queue} filters={filters} />
          <Button
            variant="ghost"
            size="sm"
            title="Copy link"
            className="max-sm:order-1"
            onClick={() => copyInterviewLink(interview.id)}
          >
            <Link aria-hidden />
            <span className="max-lg:sr-only">Copy link</span>
          </Button>
        </div>
        {/* Leaving the tab unmounts the player, which pauses it. */}
        <div ref={panels}>
          <TabPanel value="view">
            <VideoView
              key={interview.id}
              interview={interview}
              takesFocus={!hasSwitched}
              panel={{ panel, onPanel: setPanel, steps, questions, search: filters.search }}
              onPlaying={() => {
                recordPlaying();
                loadFollowing();
              }}
              onWatched={() => markWatched(interview)}
            />
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

interface CommandDeps {
  steps: Steps;
  openAbove: (dialog: 'shortcuts' | 'destination') => void;
  showPanel: (panel: PanelName) => void;
}

function commandsOf(
  interview: Interview,
  queue: ReviewQueue,
  { steps, openAbove, showPanel }: CommandDeps,
): PlayerCommands {
  return {
    '?': () => openAbove('shortcuts'),
    n: queue.showNext,
    p: queue.showPrevious,
    e: queue.archiveAndContinue,
    u: runToastAction,
    s: () => {
      showPanel('summary');
      if (interview.summaryStatus === null || interview.summaryStatus === 'failed') steps.summarize.start();
    },
    d: () => {
      if (hasAllSteps(interview)) openAbove('destination');
      else toast({ title: 'Convert the video and generate the transcript and summary first.', variant: 'warning' });
    },
  };
}

/** 1 to 9 play the answer to that question, or show the questions when its time is unknown. */
const digits = (questions: readonly AnsweredQuestion[], showQuestions: () => void): PlayerCommands =>
  Object.fromEntries(
    questions
      .filter(({ position }) => position >= 0 && position < 9)
      .map(({ position, start }) => [
        String(position + 1),
        (video: HTMLVideoElement | null) => {
          if (start === null) showQuestions();
          else if (video) video.currentTime = start;
        },
      ]),
  );
