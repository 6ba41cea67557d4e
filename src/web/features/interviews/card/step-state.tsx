import { Check, Circle, CircleAlert, CircleSlash, LoaderCircle } from 'lucide-react';
import type { ProcessingStatus } from '#contracts/interviews.ts';
import type { BadgeFacts, StepStatus } from '#contracts/rules/badges.ts';
import { cn } from '#web/lib/cn.ts';

/** `impossible`: failed, and it would fail again. */
type StepState = StepStatus | 'impossible' | 'not-started';

const LOOKS = {
  completed: { Icon: Check, className: 'text-success', name: 'done' },
  'in-progress': { Icon: LoaderCircle, className: 'animate-spin text-info', name: 'running' },
  failed: { Icon: CircleAlert, className: 'text-danger-ink', name: 'failed' },
  impossible: { Icon: CircleSlash, className: 'text-faint', name: 'not possible' },
  'not-started': { Icon: Circle, className: 'text-faint', name: 'not started' },
} as const satisfies Record<StepState, unknown>;

/** The tabs that have a state, in their order. */
export const STEP_TABS = ['YouTube', 'Transcript', 'Summary', 'Destination'] as const;
export type StepTabName = (typeof STEP_TABS)[number];

export const stepStates = (facts: BadgeFacts, processing: ProcessingStatus): Record<StepTabName, StepState> => ({
  YouTube: facts.youtubeId === null ? stateOf(facts.youtubeStatus, processing.youtube) : 'completed',
  Transcript: stateOf(facts.transcriptionStatus, processing.transcription),
  Summary: stateOf(facts.summaryStatus, processing.summary),
  Destination: facts.destinationId === null ? 'not-started' : 'completed',
});

const stateOf = (status: StepStatus | null, entry: { permanent?: true | undefined } | undefined): StepState =>
  status === 'failed' && entry?.permanent ? 'impossible' : (status ?? 'not-started');

/** The state as a text, for screen readers. */
export const stateName = (state: StepState) => LOOKS[state].name;

/** Each state has its own shape, so that no information depends on the color alone. */
export function StateIcon({ state }: { state: StepState }) {
  const { Icon, className } = LOOKS[state];
  return <Icon aria-hidden strokeWidth={2.5} className={cn('size-3.5 shrink-0', className)} />;
}

/** The states of all steps in one line. */
export function StepStates({ facts, processing }: { facts: BadgeFacts; processing: ProcessingStatus }) {
  const states = stepStates(facts, processing);
  return (
    <ul aria-label="Steps" className="flex items-center">
      {STEP_TABS.map((name) => (
        <li key={name} title={`${name}: ${stateName(states[name])}`} className="grid w-9 place-items-center">
          <StateIcon state={states[name]} />
          <span className="sr-only">
            {name}: {stateName(states[name])}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The columns of `StepStates`. Rows name their steps to screen readers. */
export const StepHeads = () => (
  <div aria-hidden className="flex">
    {['YT', 'Text', 'Sum', 'Dest'].map((name) => (
      <span key={name} className="w-9 text-center">
        {name}
      </span>
    ))}
  </div>
);
