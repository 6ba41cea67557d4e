import { useQuery } from '@tanstack/react-query';
import { Copy, ExternalLink, FileText, Info, Sparkles, TriangleAlert, Upload } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Interview, ProcessingStatus } from '#contracts/interviews.ts';
import type { StepStatus } from '#contracts/rules/badges.ts';
import { cn } from '#web/lib/cn.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { copyWithToast } from '#web/lib/export-text.ts';
import { useMay } from '#web/lib/may.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { hasVideo } from './interview-thumbnail.tsx';

interface YoutubeTabProps {
  interview: Interview;
  status: StepStatus | null;
  onConvert: () => void;
  onDismiss: () => void;
}

export function YoutubeTab({ interview, status, onConvert, onDismiss }: YoutubeTabProps) {
  const { youtubeId, youtubeUrl, processingStatus } = interview;
  const may = useMay();
  const mayConvert = may('POST /api/interviews/:id/convert');
  const { data: setup } = useQuery({ ...endpointQuery('/api/setup'), enabled: may('GET /api/setup') });
  if (youtubeId !== null) {
    const link = youtubeUrl ?? `https://www.youtube.com/watch?v=${encodeURIComponent(youtubeId)}`;
    return (
      <>
        <Button size="sm" asChild>
          <a href={link} target="_blank" rel="noopener noreferrer">
            <ExternalLink aria-hidden />
            View on YouTube
          </a>
        </Button>
        <Button
          size="sm"
          variant="ghost"
          aria-label="Copy YouTube link"
          title="Copy YouTube link"
          onClick={() => copyWithToast(link, 'Link copied')}
        >
          <Copy aria-hidden />
        </Button>
        <StepNote note={processingStatus.youtube?.note} />
      </>
    );
  }
  if (status === 'in-progress') {
    const percent = Math.round(processingStatus.youtube?.progress ?? 0);
    const note = processingStatus.youtube?.note || (percent === 0 ? 'Queued' : undefined);
    return (
      <>
        <Button size="sm" pending>
          Converting ({percent}%)
        </Button>
        <StepNote note={note} />
      </>
    );
  }
  const failure = status === 'failed' && <StepError record={processingStatus.youtube} onDismiss={onDismiss} />;
  if (!mayConvert) return failure || <StepText>Not on YouTube yet.</StepText>;
  const obstacle = obstacleOf(interview, setup?.youtube ?? true);
  return (
    <>
      <Button size="sm" disabled={obstacle !== null} onClick={onConvert}>
        <Upload aria-hidden />
        Convert to YouTube
      </Button>
      {obstacle && <StepText>{obstacle}</StepText>}
      {failure}
    </>
  );
}

/** The server rejects answers that stay separate, and names the setting that helps. */
function obstacleOf(interview: Interview, isConnected: boolean): string | null {
  const { separateAnswers } = interview;
  if (separateAnswers?.isPreparing) return 'The video is still being prepared.';
  if (!hasVideo(interview) && !separateAnswers) return 'This interview has no video.';
  return isConnected ? null : "YouTube isn't connected.";
}

interface TextTabProps {
  name: 'Transcript' | 'Summary';
  status: StepStatus | null;
  record: StepRecord | undefined;
  /** Shows the text, or an empty one in its editor after a failure. */
  onView?: () => void;
  onGenerate: () => void;
  onDismiss?: () => void;
}

export function TextTab({ name, status, record, onView, onGenerate, onDismiss }: TextTabProps) {
  const mayGenerate = useMay()(`POST /api/interviews/:id/${name === 'Transcript' ? 'transcribe' : 'summarize'}`);
  if (status === 'completed') {
    return (
      <>
        <Button size="sm" onClick={onView}>
          <FileText aria-hidden />
          View {name}
        </Button>
        <StepNote note={record?.note} />
      </>
    );
  }
  if (status === 'in-progress') {
    return (
      <>
        <Button size="sm" pending>
          Processing...
        </Button>
        <StepNote note={record?.note} />
      </>
    );
  }
  const failure = status === 'failed' && <StepError record={record} onWrite={onView} onDismiss={onDismiss} />;
  if (!mayGenerate) return failure || <StepText>No {name.toLowerCase()} yet.</StepText>;
  return (
    <>
      <Button size="sm" onClick={onGenerate}>
        <Sparkles aria-hidden />
        Generate {name}
      </Button>
      {failure}
    </>
  );
}

type StepRecord = NonNullable<ProcessingStatus['transcription']>;

interface StepErrorProps {
  record: Pick<StepRecord, 'error' | 'permanent'> | undefined;
  /** Offered when the step cannot succeed. */
  onWrite?: (() => void) | undefined;
  onDismiss?: (() => void) | undefined;
}

/**
 * The reason of the last failure. Never truncated: the advice is at its end. Gray when a retry
 * would fail again.
 */
function StepError({ record, onWrite, onDismiss }: StepErrorProps) {
  const { error = 'Something went wrong. Try again.', permanent = false } = record ?? {};
  const may = useMay();
  const mayWrite = may('PUT /api/interviews/:id/transcript');
  const mayDismiss = may('POST /api/interviews/:id/dismiss-failures');
  const Icon = permanent ? Info : TriangleAlert;
  return (
    <StepText className={permanent ? 'text-muted' : 'text-danger-ink'}>
      <Icon aria-hidden />
      {error} {permanent && onWrite && mayWrite && <TextButton onClick={onWrite}>Write it yourself</TextButton>}
      {onDismiss && mayDismiss && <TextButton onClick={onDismiss}>Dismiss</TextButton>}
    </StepText>
  );
}

const TextButton = (props: { onClick: () => void; children: string }) => (
  <button
    type="button"
    className="touch-beyond relative mr-2.5 font-medium whitespace-nowrap text-ink underline"
    {...props}
  />
);

/** Why a running step waits, or how its result differs from the request. */
const StepNote = ({ note }: { note: string | undefined }) =>
  note ? (
    <StepText className="text-warning-ink">
      <Info aria-hidden />
      {note}
    </StepText>
  ) : null;

/** A separate line below the buttons of a panel. */
const StepText = ({ className, children }: { className?: string; children: ReactNode }) => (
  <p
    className={cn(
      'basis-full text-xs break-words text-faint [&>svg]:mr-1 [&>svg]:inline [&>svg]:size-3.5 [&>svg]:align-[-0.15em]',
      className,
    )}
  >
    {children}
  </p>
);
