import { useQuery } from '@tanstack/react-query';
import { ExternalLink, RotateCcw } from 'lucide-react';
import { Link } from 'wouter';
import type { LogEntry } from '#contracts/logs.ts';
import { STEPS, type Step } from '#contracts/rules/steps.ts';
import { useSteps } from '#web/features/interviews/interview-steps.ts';
import { interviewQuery } from '#web/features/interviews/interviews-query.ts';
import { Button } from '#web/ui/forms/button.tsx';

const STEP_OF_ACTION: Readonly<Record<string, Step>> = {
  'convert-interview': 'convert',
  'transcribe-interview': 'transcribe',
  'summarize-interview': 'summarize',
};

/** The actions for the interview of an entry, while it exists. */
export function LoggedInterview({ log }: { log: LogEntry }) {
  const id = log.metadata?.interviewId;
  return typeof id === 'string' ? <InterviewActions id={id} log={log} /> : null;
}

function InterviewActions({ id, log }: { id: string; log: LogEntry }) {
  const steps = useSteps(id);
  const { data: interview } = useQuery(interviewQuery(id));
  if (!interview) return null;
  const step = log.status === 'error' ? STEP_OF_ACTION[log.action] : undefined;
  return (
    <div className="flex flex-wrap gap-2">
      <Button asChild>
        <Link href={`/?dialog=video&id=${encodeURIComponent(id)}`}>
          <ExternalLink aria-hidden />
          Open interview
        </Link>
      </Button>
      {/* A later attempt may have succeeded, or be running. */}
      {step && interview[STEPS[step].status] === 'failed' && (
        <Button pending={steps[step].isPending} onClick={steps[step].start}>
          <RotateCcw aria-hidden />
          Retry
        </Button>
      )}
    </div>
  );
}
