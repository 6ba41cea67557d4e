import { ChartNoAxesColumn } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import type { BadgeFacts } from '#contracts/rules/badges.ts';
import { type OpenInterviewDialog, openOnDashboard } from '#web/features/interviews/dialogs/open-dialog.ts';
import { useDismissFailures } from '#web/features/interviews/interview-actions.ts';
import type { Steps } from '#web/features/interviews/interview-steps.ts';
import { cn } from '#web/lib/cn.ts';
import { useMay } from '#web/lib/may.ts';
import { toast } from '#web/lib/toast.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/layout/tabs.tsx';
import { DestinationTab } from './destination-tab.tsx';
import { StateIcon, type StepTabName, stateName, stepStates } from './step-state.tsx';
import { TextTab, YoutubeTab } from './step-tabs.tsx';

interface Props {
  interview: Interview;
  facts: BadgeFacts;
  steps: Steps;
  onOpen: OpenInterviewDialog;
}

export function InterviewTabs({ interview, facts, steps, onOpen }: Props) {
  const { processingStatus } = interview;
  const open = (kind: Parameters<OpenInterviewDialog>[0]) => () => onOpen(kind, interview.id);
  const dismiss = useDismissFailures(interview.id);
  const [tab, setTab] = useOpenTab(interview.id, facts);
  const states = stepStates(facts, processingStatus);
  return (
    <Tabs value={tab} onValueChange={setTab} activationMode="manual" className="@container">
      <TabList
        label={`Processing of ${interview.title}`}
        className="flex justify-between gap-0 rounded-none border-b border-line bg-transparent p-0 [scrollbar-width:none]"
      >
        <StepTab name="YouTube" state={states.YouTube} />
        <StepTab name="Transcript" state={states.Transcript} />
        <StepTab name="Summary" state={states.Summary} />
        <StepTab name="Scores" />
        <StepTab name="Destination" state={states.Destination} />
      </TabList>
      <Panel name="YouTube">
        <YoutubeTab
          interview={interview}
          status={facts.youtubeStatus}
          onConvert={steps.convert.start}
          onDismiss={dismiss}
        />
      </Panel>
      <Panel name="Transcript">
        <TextTab
          name="Transcript"
          status={facts.transcriptionStatus}
          record={processingStatus.transcription}
          onDismiss={dismiss}
          onView={open('transcript')}
          onGenerate={steps.transcribe.start}
        />
      </Panel>
      <Panel name="Summary">
        <TextTab
          name="Summary"
          status={facts.summaryStatus}
          record={processingStatus.summary}
          onDismiss={dismiss}
          onView={open('summary')}
          onGenerate={steps.summarize.start}
        />
      </Panel>
      <Panel name="Scores">
        <ScoresTab id={interview.id} />
      </Panel>
      <Panel name="Destination">
        <DestinationTab interview={interview} facts={facts} onSet={open('destination')} />
      </Panel>
    </Tabs>
  );
}

/**
 * The open tab: the chosen one, or the tab of the first failed step, with its reason. The
 * choice is remembered until the browser tab is closed, so that Back shows the card as it was.
 */
function useOpenTab(id: string, { youtubeId, youtubeStatus, transcriptionStatus, summaryStatus }: BadgeFacts) {
  const key = `card-tab ${id}`;
  const failed = [
    youtubeId === null && youtubeStatus === 'failed' && 'YouTube',
    transcriptionStatus === 'failed' && 'Transcript',
    summaryStatus === 'failed' && 'Summary',
  ].find((name) => name !== false);
  const [chosen, setChosen] = useState(() => failed ?? sessionStorage.getItem(key));
  // The failed tab becomes the choice, so that it stays open when the step is started again.
  if (failed && chosen === null) setChosen(failed);
  const choose = (name: string) => {
    sessionStorage.setItem(key, name);
    setChosen(name);
  };
  return [chosen ?? 'YouTube', choose] as const;
}

interface StepTabProps {
  name: StepTabName | 'Scores';
  state?: ReturnType<typeof stepStates>[StepTabName];
}

/** The icon shows the state of a step while its panel is closed. */
const StepTab = ({ name, state }: StepTabProps) => (
  <Tab
    value={name}
    // A description, because the name of the tab is fixed.
    aria-description={state && stateName(state)}
    className="h-8 gap-0.5 rounded-none px-0.5 text-xs sm:px-0.5 @max-[24rem]:px-0 @max-[24rem]:tracking-tight @max-[22rem]:h-11 @max-[22rem]:flex-col @max-[22rem]:gap-0 @max-[17rem]:text-[0.6875rem] data-[state=active]:bg-transparent data-[state=active]:shadow-none data-[state=active]:after:absolute data-[state=active]:after:inset-x-0 data-[state=active]:after:-bottom-px data-[state=active]:after:h-0.5 data-[state=active]:after:rounded-full data-[state=active]:after:bg-ink"
  >
    {state ? <StateIcon state={state} /> : <span className="hidden h-3.5 @max-[22rem]:block" />}
    {name}
  </Tab>
);

/** Reserves a line for a message below the buttons that start steps, so that it moves nothing. */
const Panel = ({ name, children }: { name: string; children: ReactNode }) => (
  <TabPanel
    value={name}
    className={cn(
      'mt-2 flex flex-wrap content-start items-center gap-x-2.5 gap-y-1',
      useMay()('POST /api/interviews/:id/convert') ? 'min-h-13.5 max-md:min-h-16' : 'min-h-8 max-md:min-h-11',
    )}
  >
    {children}
  </TabPanel>
);

/** Section 4 of the specification: the button only shows this message. Its link is an addition. */
function ScoresTab({ id }: { id: string }) {
  const announce = () =>
    toast({
      title: 'Coming soon',
      action: {
        label: 'Review with scorecard',
        onClick: () => openOnDashboard('video', id, true),
        isLink: true,
      },
    });
  return (
    <Button size="sm" onClick={announce}>
      <ChartNoAxesColumn aria-hidden />
      View Scores
    </Button>
  );
}
