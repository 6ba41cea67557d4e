import { FileText, Sparkles } from 'lucide-react';
import type { StepStatus } from '#contracts/rules/badges.ts';
import { StepError, StepNote } from '#web/features/interviews/tabs/step-note.tsx';
import { Button } from '#web/ui/button.tsx';

interface Props {
  /** `Transcript` or `Summary`. */
  what: string;
  status: StepStatus | null;
  error: string | undefined;
  note: string | undefined;
  onView: () => void;
  onGenerate: () => void;
}

export function TextTab({ what, status, error, note, onView, onGenerate }: Props) {
  if (status === 'completed') {
    return (
      <Button size="sm" onClick={onView}>
        <FileText aria-hidden />
        View {what}
      </Button>
    );
  }
  if (status === 'in-progress') {
    return (
      <>
        <Button size="sm" pending>
          Processing...
        </Button>
        <StepNote note={note} />
      </>
    );
  }
  return (
    <>
      <Button size="sm" onClick={onGenerate}>
        <Sparkles aria-hidden />
        Generate {what}
      </Button>
      {status === 'failed' && <StepError error={error} />}
    </>
  );
}
