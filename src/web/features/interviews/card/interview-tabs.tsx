import { ChartNoAxesColumn } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import type { BadgeFacts, StepStatus } from '#contracts/rules/badges.ts';
import type { OpenInterviewDialog } from '#web/features/interviews/dialogs/open-dialog.ts';
import type { Steps } from '#web/features/interviews/interview-steps.ts';
import { cn } from '#web/lib/cn.ts';
import { toast } from '#web/lib/toast.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/layout/tabs.tsx';
import { DestinationTab } from './destination-tab.tsx';
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
  const [tab, setTab] = useFailedTab(facts);
  return (
    <Tabs value={tab} onValueChange={setTab} activationMode="manual" className="@container">
      <TabList
        label={`Processing of ${interview.title}`}
        className="justify-between gap-0.5 rounded-none border-b border-line bg-transparent p-0 [scrollbar-width:none]"
      >
        <StepTab name="YouTube" state={facts.youtubeId === null ? facts.youtubeStatus : 'completed'} />
        <StepTab name="Transcript" state={facts.transcriptionStatus} />
        <StepTab name="Summary" state={facts.summaryStatus} />
        <StepTab name="Scores" state={null} />
        <StepTab name="Destination" state={facts.destinationId === null ? null : 'completed'} />
      </TabList>
      <Panel name="YouTube">
        <YoutubeTab interview={interview} status={facts.youtubeStatus} onConvert={steps.convert.start} />
      </Panel>
      <Panel name="Transcript">
        <TextTab
          name="Transcript"
          status={facts.transcriptionStatus}
          error={processingStatus.transcription?.error}
          note={processingStatus.transcription?.note}
          onView={open('transcript')}
          onGenerate={steps.transcribe.start}
        />
      </Panel>
      <Panel name="Summary">
        <TextTab
          name="Summary"
          status={facts.summaryStatus}
          error={processingStatus.summary?.error}
          note={processingStatus.summary?.note}
          onView={open('summary')}
          onGenerate={steps.summarize.start}
        />
      </Panel>
      <Panel name="Scores">
        <ScoresTab />
      </Panel>
      <Panel name="Destination">
        <DestinationTab interview={interview} facts={facts} onSet={open('destination')} />
      </Panel>
    </Tabs>
  );
}

/**
 * The open tab: the chosen one, or that of the first failed step, which keeps its reason visible.
 */
function useFailedTab({ youtubeId, youtubeStatus, transcriptionStatus, summaryStatus }: BadgeFacts) {
  const [chosen, setChosen] = useState<string | null>(null);
  const failed = [
    youtubeId === null && youtubeStatus === 'failed' && 'YouTube',
    transcriptionStatus === 'failed' && 'Transcript',
    summaryStatus === 'failed' && 'Summary',
  ].find((name) => name !== false);
  // Chosen once, so that the tab stays open when the step is started again.
  if (failed && chosen === null) setChosen(failed);
  return [chosen ?? 'YouTube', setChosen] as const;
}

const DOTS: Record<StepStatus, string> = {
  'in-progress': 'animate-pulse bg-info',
  completed: 'bg-success',
  failed: 'bg-danger',
};

/** The dot shows the state of a step while its panel is closed. */
function StepTab({ name, state }: { name: string; state: StepStatus | null }) {
  return (
    <Tab
      value={name}
      className="relative h-9 grow-0 rounded-none px-0.5 text-xs sm:px-0.5 @max-[19rem]:px-0 @max-[19rem]:text-[0.6875rem] @max-[19rem]:tracking-tight data-[state=active]:bg-transparent data-[state=active]:shadow-none data-[state=active]:after:absolute data-[state=active]:after:inset-x-0 data-[state=active]:after:-bottom-px data-[state=active]:after:h-0.5 data-[state=active]:after:rounded-full data-[state=active]:after:bg-accent"
    >
      {name}
      {state && (
        <span aria-hidden className={cn('keep-color absolute top-1 -right-1.5 size-1.5 rounded-full', DOTS[state])} />
      )}
    </Tab>
  );
}

const Panel = ({ name, children }: { name: string; children: ReactNode }) => (
  <TabPanel value={name} className="mt-3 flex min-h-15 flex-wrap content-start items-center gap-x-2.5 gap-y-2">
    {children}
  </TabPanel>
);

const ScoresTab = () => (
  <Button size="sm" onClick={() => toast({ title: 'Coming soon' })}>
    <ChartNoAxesColumn aria-hidden />
    View Scores
  </Button>
);
