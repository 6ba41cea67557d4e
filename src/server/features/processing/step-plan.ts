import type { Step } from '#contracts/rules/steps.ts';
import type { StepState } from '#server/db/step-columns.ts';
import type { StoredInterview } from '#server/features/interviews/interviews.service.ts';
import type { NewRun } from './step-runs.repo.ts';

type StepStates = Record<Step, Pick<StepState, 'status'>>;
type StepFacts = Pick<StoredInterview, 'id' | 'youtube_id' | 'video_url' | 'video_file'> & { steps: StepStates };

const needsTranscript = (step: Step, { transcribe }: StepStates) =>
  step === 'transcribe' || (step === 'summarize' && transcribe.status !== 'completed');

/** The runs that begin with a step: a summary without a transcript begins with the transcript. */
export function runsOf(step: Step, steps: StepStates): Pick<NewRun, 'step' | 'waits'>[] {
  const waits = step === 'summarize' && needsTranscript(step, steps);
  const isTranscribing = steps.transcribe.status === 'in-progress';
  return [...(waits && !isTranscribing ? [{ step: 'transcribe' as const, waits: false }] : []), { step, waits }];
}

export const isConverted = ({ youtube_id }: Pick<StepFacts, 'youtube_id'>) => youtube_id !== null;

const DONE: Record<Step, string> = {
  convert: 'Already converted.',
  transcribe: 'Already transcribed.',
  summarize: 'Already summarized.',
};
const ALL_DONE = 'Already converted and summarized.';

/** The services that steps can use in this installation. */
export interface StepServices {
  videoHost: boolean;
  transcriber: boolean;
  summarizer: boolean;
  /** Interviews whose service supplies the transcript. */
  supplied: ReadonlySet<string>;
  /** Interviews that have a recording for each answer instead of one. */
  segmented: ReadonlySet<string>;
}

/** Why a step does not start for one of many interviews; null when it starts. */
function reasonToSkip(step: Step, interview: StepFacts, services: StepServices): string | null {
  const { status } = interview.steps[step];
  if (status === 'in-progress') return 'Already running.';
  if (step === 'convert' ? isConverted(interview) : status === 'completed') return DONE[step];
  return missingFor(step, interview, services);
}

/** The missing requirements of a step. */
function missingFor(step: Step, interview: StepFacts, services: StepServices): string | null {
  if (step === 'summarize' && !services.summarizer) return "Summaries aren't set up.";
  if (step === 'summarize' && !needsTranscript(step, interview.steps)) return null;
  if (step !== 'convert' && services.supplied.has(interview.id)) return null;
  const hasVideo =
    interview.video_url !== null || interview.video_file !== null || services.segmented.has(interview.id);
  if (!hasVideo) return 'No video.';
  if (step === 'convert') return services.videoHost ? null : "Converting isn't set up.";
  return services.transcriber || interview.steps.transcribe.status === 'in-progress'
    ? null
    : "Transcription isn't set up.";
}

/** The runs to begin for one of many interviews. `reason` is null unless there is none. */
export interface StepPlan {
  runs: Pick<NewRun, 'step' | 'waits'>[];
  reason: string | null;
}

/** Plans the wanted steps that may start. */
export function planSteps(wanted: readonly Step[], interview: StepFacts, services: StepServices): StepPlan {
  const reasons = new Map(wanted.map((step) => [step, reasonToSkip(step, interview, services)]));
  const runs = new Map(
    wanted
      .filter((step) => reasons.get(step) === null)
      .flatMap((step) => runsOf(step, interview.steps))
      .map((run) => [run.step, run]),
  );
  if (runs.size > 0) return { runs: [...runs.values()], reason: null };
  const all = [...reasons].map(([step, reason]) => ({ step, reason }));
  const open = all.find(({ step, reason }) => reason !== DONE[step]) ?? all[0];
  const isDone = all.length > 1 && all.every(({ step, reason }) => reason === DONE[step]);
  return { runs: [], reason: isDone ? ALL_DONE : (open?.reason ?? null) };
}
