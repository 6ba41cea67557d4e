import { useRef, useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { hasAllSteps } from '#contracts/rules/badges.ts';
import { InterviewDestinationDialog } from '#web/features/interviews/dialogs/destination/interview-destination-dialog.tsx';
import { ExportDialog } from '#web/features/interviews/dialogs/export/export-dialog.tsx';
import type { InterviewFilters } from '#web/features/interviews/interview-filters.ts';
import { factsWith, useSteps } from '#web/features/interviews/interview-steps.ts';
import { ShortcutsDialog } from '#web/features/shortcuts/shortcuts-dialog.tsx';
import { byKey, SHELL_KEYS } from '#web/lib/keys.ts';
import { useMay } from '#web/lib/may.ts';
import { PLAYER_KEYS } from '#web/lib/player-keys.ts';
import { toast } from '#web/lib/toast.ts';
import { useBackGuard } from '#web/lib/use-dialog.ts';
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/layout/tabs.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { lazyPart } from '#web/ui/overlays/lazy-part.tsx';
import { showOutsideFullscreen } from './controls/video-commands.ts';
import { type Command, handlePlayerKey, type PlayerCommands } from './handle-player-key.ts';
import { ClampedTitle, PlayerFacts } from './player-header.tsx';
import { PlayerMenu } from './player-menu.tsx';
import { ActionBar } from './review/action-bar.tsx';
import { type AskedAnswer, AskedQuestion, useAskedAnswer } from './review/asked-answer.tsx';
import { ReviewEnd } from './review/review-end.tsx';
import { ReviewHead } from './review/review-head.tsx';
import { ReviewSection, useScorecard } from './review/review-section.tsx';
import { type Review, useReview } from './review/use-review.ts';
import type { PanelName } from './side-panel.tsx';
import { type AnsweredQuestion, useAnswers } from './use-answers.ts';
import { useFollowingVideo } from './use-following-video.ts';
import { useRecordPlaying } from './use-record-playing.ts';
import { VideoEditing } from './video-editing.tsx';
import { VideoView } from './video-view.tsx';

const ShareDialog = lazyPart(() => import('#web/features/shares/share-dialog.tsx').then((m) => m.ShareDialog));

interface Props {
  interview: Interview;
  /** The filters of the list, whose interviews the player shows in their order. */
  filters: InterviewFilters;
  onClose: () => void;
}

export function VideoDialog({ interview, filters, onClose }: Props) {
  const { tab, hasSwitched, panels, switchTo } = usePlayerTabs();
  const [above, setAbove] = useState<AboveName | null>(null);
  const scorecard = useScorecard(panels);
  const closeAbove = () => setAbove(null);
  // Back closes what is open above the player first.
  useBackGuard(above !== null, closeAbove);
  const [panel, setPanel] = useState<PanelName>(interview.match?.field === 'summary' ? 'summary' : 'transcript');
  const questions = useAnswers(interview);
  const asked = useAskedAnswer(questions);
  const review = useReview(interview, filters, {
    answer: asked?.number ?? null,
    isScorecardOpen: scorecard.isOpen,
  });
  const { queue, marks, counts } = review;
  const handlePlaying = usePlaying(interview, queue.following);
  const steps = useSteps(interview.id);
  const may = useMay();
  const showDestination = () => {
    if (hasAllSteps(interview)) setAbove('destination');
    else toast({ title: 'Convert the video and generate the transcript and summary first.', variant: 'warning' });
  };
  const showSummary = () => {
    setPanel('summary');
    if (isStartable(interview.summaryStatus) && may('POST /api/interviews/:id/summarize')) steps.summarize.start();
  };
  const commands = useCommands(review, {
    answer: playAnswer(
      questions,
      outside(() => setPanel('questions')),
    ),
    shortcuts: outside(() => setAbove('shortcuts')),
    destination: outside(showDestination),
    summary: outside(showSummary),
    share: outside(() => setAbove('share')),
    rate: outside(scorecard.rate),
  });
  return (
    <Dialog
      onClose={onClose}
      {...(counts
        ? { title: 'Review finished' }
        : {
            title: interview.title,
            heading: <ClampedTitle key={interview.id}>{interview.title}</ClampedTitle>,
            description: <PlayerFacts interview={interview} facts={factsWith(interview, steps)} />,
          })}
      // The first tab. Users who may not edit have none.
      startAt={() => panels.current?.parentElement?.querySelector<HTMLElement>('[role=tab], [role=tabpanel]')}
      size={counts ? 'md' : '2xl'}
      onKey={(event) => handlePlayerKey(event, commands)}
    >
      {counts ? (
        <ReviewEnd counts={counts} onUndo={review.undo} onClose={onClose} />
      ) : (
        <Tabs value={tab} onValueChange={switchTo}>
          <PlayerToolbar {...{ interview, filters, review, asked }} onOpen={setAbove} />
          {/* Leaving the tab unmounts the player, which pauses it. */}
          <div ref={panels}>
            <TabPanel value="view">
              <VideoView
                key={interview.id}
                interview={interview}
                takesFocus={!hasSwitched}
                excerpt={asked}
                panel={{ panel, onPanel: setPanel, steps, questions, search: filters.search }}
                actions={
                  <>
                    <ActionBar {...{ interview, review }} onDestination={showDestination} onSummary={showSummary} />
                    <ReviewSection {...{ interview, scorecard }} />
                  </>
                }
                onPlaying={handlePlaying}
                onWatched={() => marks.markPlayed(interview)}
              />
            </TabPanel>
            <TabPanel value="edit">
              <VideoEditing />
            </TabPanel>
          </div>
        </Tabs>
      )}
      <DialogAbove name={above} interview={interview} onClose={closeAbove} />
    </Dialog>
  );
}

type AboveName = 'shortcuts' | 'destination' | 'share' | 'export';

interface AboveProps {
  name: AboveName | null;
  interview: Interview;
  onClose: () => void;
}

const DialogAbove = ({ name, interview, onClose }: AboveProps) => (
  <>
    {name === 'shortcuts' && <ShortcutsDialog onClose={onClose} />}
    {name === 'share' && <ShareDialog ids={[interview.id]} known={[interview]} onClose={onClose} />}
    {name === 'export' && <ExportDialog interview={interview} onClose={onClose} />}
    {name === 'destination' && <InterviewDestinationDialog interview={interview} onClose={onClose} />}
  </>
);

/** A command that shows something outside the video, which full screen would hide. */
const outside = (show: () => void) => () => showOutsideFullscreen(show);

type Actions = Record<'answer' | 'shortcuts' | 'destination' | 'summary' | 'share' | 'rate', Command>;

function useCommands(review: Review, actions: Actions): PlayerCommands {
  const may = useMay();
  // At the end of a review only Undo is left.
  const unlessEnded = (command: Command): Command | undefined => (review.counts ? undefined : command);
  return {
    [SHELL_KEYS.shortcuts.keys[0]]: actions.shortcuts,
    ...byKey<keyof typeof PLAYER_KEYS, Command | undefined>(PLAYER_KEYS, {
      answer: unlessEnded(actions.answer),
      done: unlessEnded(review.finish),
      no: unlessEnded(() => review.recommend(2)),
      yes: unlessEnded(() => review.recommend(3)),
      strongYes: unlessEnded(() => review.recommend(4)),
      rate: unlessEnded(actions.rate),
      previous: unlessEnded(review.queue.showPrevious),
      archive: unlessEnded(review.archive),
      undo: review.undo,
      summary: unlessEnded(actions.summary),
      destination: may('POST /api/interviews/:id/destination') ? unlessEnded(actions.destination) : undefined,
      share: may('POST /api/shares') ? unlessEnded(actions.share) : undefined,
    }),
  };
}

const isStartable = (status: Interview['summaryStatus']) => status === null || status === 'failed';

interface ToolbarProps extends Omit<Props, 'onClose'> {
  review: Review;
  asked: AskedAnswer | null;
  onOpen: (dialog: 'share' | 'export') => void;
}

/** Users who may not edit have no tabs. */
function PlayerToolbar({ interview, filters, review, asked, onOpen }: ToolbarProps) {
  const mayEdit = useMay()('POST /api/interviews/:id/update-duration');
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 max-sm:mb-3">
        {mayEdit && (
          <TabList label="Video" className="w-0 grow sm:w-44 sm:grow-0 lg:w-56">
            <Tab value="view">View</Tab>
            <Tab value="edit">Edit</Tab>
          </TabList>
        )}
        <ReviewHead
          queue={review.queue}
          filters={filters}
          isByAnswer={review.isByAnswer}
          className={mayEdit ? 'max-sm:order-2 max-sm:basis-full' : 'max-sm:grow'}
        />
        <span className="max-sm:order-1">
          <PlayerMenu interview={interview} marks={review.marks} onOpen={onOpen} />
        </span>
      </div>
      {asked && <AskedQuestion {...{ interview, asked }} />}
    </>
  );
}

function usePlaying({ id }: Interview, following: Interview | null): () => void {
  const recordPlaying = useRecordPlaying(id);
  const loadFollowing = useFollowingVideo(following);
  return () => {
    recordPlaying();
    loadFollowing();
  };
}

function usePlayerTabs() {
  const [tab, setTab] = useState('view');
  const [hasSwitched, setHasSwitched] = useState(false);
  const panels = useRef<HTMLDivElement>(null);
  const switchTo = (name: string) => {
    // The Edit tab is as high as the View tab, so that the dialog keeps its size.
    if (panels.current) panels.current.style.minHeight = name === 'edit' ? `${panels.current.offsetHeight}px` : '';
    setTab(name);
    setHasSwitched(true);
  };
  return { tab, hasSwitched, panels, switchTo };
}

/** Plays the answer to the question with the pressed number, or shows the questions. */
const playAnswer =
  (questions: readonly AnsweredQuestion[], showQuestions: () => void): Command =>
  (video, key) => {
    const question = questions.find(({ position }) => String(position + 1) === key);
    if (question?.start === null) showQuestions();
    else if (question && video) video.currentTime = question.start;
  };
