import { useQuery } from '@tanstack/react-query';
import type { ReactNode, RefObject } from 'react';
import type { Interview, ProcessingStatus } from '#contracts/interviews.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { TextTab } from '#web/features/interviews/card/step-tabs.tsx';
import { TranscriptDownloads } from '#web/features/interviews/dialogs/export/transcript-downloads.tsx';
import { SummaryView } from '#web/features/interviews/dialogs/text/summary-view.tsx';
import { factsWith, type Steps } from '#web/features/interviews/interview-steps.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/layout/tabs.tsx';
import { CommentsPanel } from './comments-panel.tsx';
import { QuestionsPanel } from './questions-panel.tsx';
import { TranscriptPanel } from './transcript-panel.tsx';
import type { AnsweredQuestion } from './use-answers.ts';

export type PanelName = 'transcript' | 'questions' | 'summary' | 'comments';

interface Props {
  interview: Interview;
  /** The selected tab. */
  panel: PanelName;
  onPanel: (panel: PanelName) => void;
  steps: Steps;
  questions: readonly AnsweredQuestion[];
  transcript: { text: string | null; segments: readonly TranscriptSegment[] };
  /** The words that the list was searched for. */
  search: string;
  video: RefObject<HTMLVideoElement | null>;
  onSeek: (seconds: number) => void;
}

/** Shows the transcript, the questions and the summary next to the video. */
export function SidePanel({ interview, panel, onPanel, steps, questions, transcript, search, video, onSeek }: Props) {
  const { transcription, summary } = interview.processingStatus;
  const { transcriptionStatus, summaryStatus } = factsWith(interview, steps);
  return (
    <Tabs
      value={panel}
      onValueChange={(name) => onPanel(name as PanelName)}
      className="flex min-h-0 grow flex-col rounded-lg border border-line"
    >
      <TabList label="Interview" className="m-2 mb-0 shrink-0">
        <Tab value="transcript">Transcript</Tab>
        <Tab value="questions">Questions</Tab>
        <Tab value="summary">Summary</Tab>
        <Tab value="comments">Comments</Tab>
      </TabList>
      <Panel name="transcript">
        {transcript.segments.length > 0 ? (
          <TranscriptPanel
            {...{ video, search, onSeek }}
            segments={transcript.segments}
            downloads={<TranscriptDownloads interview={interview} hasTimes />}
          />
        ) : (
          <Text
            name="Transcript"
            status={transcriptionStatus}
            record={transcription}
            onGenerate={steps.transcribe.start}
          >
            {transcript.text !== null && (
              <div className="float-right">
                <TranscriptDownloads interview={interview} hasTimes={false} />
              </div>
            )}
            {transcript.text}
          </Text>
        )}
      </Panel>
      <Panel name="questions">
        <QuestionsPanel interviewId={interview.id} questions={questions} video={video} onSeek={onSeek} />
      </Panel>
      <Panel name="summary">
        <Text name="Summary" status={summaryStatus} record={summary} onGenerate={steps.summarize.start}>
          <Summary interviewId={interview.id} onSeek={onSeek} />
        </Text>
      </Panel>
      <Panel name="comments">
        {panel === 'comments' && <CommentsPanel interviewId={interview.id} video={video} onSeek={onSeek} />}
      </Panel>
    </Tabs>
  );
}

const Panel = ({ name, children }: { name: PanelName; children: ReactNode }) => (
  <TabPanel value={name} tabIndex={-1} className="flex min-h-0 grow flex-col outline-none [&[hidden]]:hidden">
    {children}
  </TabPanel>
);

interface TextProps {
  name: 'Transcript' | 'Summary';
  status: Interview['summaryStatus'];
  record: ProcessingStatus['summary'];
  onGenerate: () => void;
  children: ReactNode;
}

/** A text once it is completed; until then the button that generates it. */
const Text = ({ name, status, record, onGenerate, children }: TextProps) => (
  <div className="min-h-0 grow overflow-y-auto p-3 text-sm break-words whitespace-pre-wrap max-lg:max-h-64">
    {status === 'completed' ? (
      children
    ) : (
      <div className="flex flex-col items-start gap-2 whitespace-normal">
        <TextTab name={name} status={status} record={record} onGenerate={onGenerate} />
      </div>
    )}
  </div>
);

function Summary({ interviewId, onSeek }: { interviewId: string; onSeek: (seconds: number) => void }) {
  const { data, isPending, error } = useQuery(
    endpointQuery('/api/interviews/:id/summary', { params: { id: interviewId } }),
  );
  if (isPending) return <Loading>Loading the summary...</Loading>;
  if (error) return <p className="text-danger-ink">{error.message}</p>;
  return data?.structure ? <SummaryView structure={data.structure} onSeek={onSeek} /> : data?.summaryText;
}
