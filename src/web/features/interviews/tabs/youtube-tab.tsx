import { ExternalLink, Upload } from 'lucide-react';
import type { Interview } from '#contracts/interviews.ts';
import type { StepStatus } from '#contracts/rules/badges.ts';
import { StepError, StepNote } from '#web/features/interviews/tabs/step-note.tsx';
import { Button } from '#web/ui/button.tsx';

interface Props {
  interview: Interview;
  status: StepStatus | null;
  onConvert: () => void;
}

export function YoutubeTab({ interview, status, onConvert }: Props) {
  const { youtubeId, youtubeUrl, processingStatus } = interview;
  if (youtubeId !== null) {
    return (
      <>
        <Button size="sm" asChild>
          <a
            href={youtubeUrl ?? `https://www.youtube.com/watch?v=${encodeURIComponent(youtubeId)}`}
            target="_blank"
            rel="noopener noreferrer"
          >
            <ExternalLink aria-hidden />
            View on YouTube
          </a>
        </Button>
        <StepNote note={processingStatus.youtube?.note} />
      </>
    );
  }
  if (status === 'in-progress') {
    return (
      <>
        <Button size="sm" pending>
          Converting ({Math.round(processingStatus.youtube?.progress ?? 0)}%)
        </Button>
        <StepNote note={processingStatus.youtube?.note} />
      </>
    );
  }
  return (
    <>
      <Button size="sm" onClick={onConvert}>
        <Upload aria-hidden />
        Convert to YouTube
      </Button>
      {status === 'failed' && <StepError error={processingStatus.youtube?.error} />}
    </>
  );
}
