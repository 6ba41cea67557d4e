/**
 * The processing steps and how the specification spells each of them. Code uses the step's own
 * name; the other spellings appear on the wire and in SQL only.
 * - `record`: the entry of `processingStatus`, and the prefix of the columns of `interview`
 * - `status`: the field of an interview with the step's status
 * - `message`: the prefix of live message types
 */
export const STEPS = {
  convert: { record: 'youtube', status: 'youtubeStatus', message: 'conversion' },
  transcribe: { record: 'transcription', status: 'transcriptionStatus', message: 'transcription' },
  summarize: { record: 'summary', status: 'summaryStatus', message: 'summary' },
} as const;

export type Step = keyof typeof STEPS;
export const STEP_NAMES = ['convert', 'transcribe', 'summarize'] as const satisfies readonly Step[];

const STEP_EVENTS = ['progress', 'completed', 'failed'] as const;
export type StepEvent = (typeof STEP_EVENTS)[number];

export type StepMessageType = `${(typeof STEPS)[Step]['message']}-${StepEvent}`;

export const stepMessageType = (step: Step, event: StepEvent): StepMessageType => `${STEPS[step].message}-${event}`;

export const STEP_MESSAGE_TYPES = STEP_NAMES.flatMap((step) =>
  STEP_EVENTS.map((event) => stepMessageType(step, event)),
);

/** Null for types that are not about a step. */
export function parseStepMessageType(type: string): { step: Step; event: StepEvent } | null {
  for (const step of STEP_NAMES)
    for (const event of STEP_EVENTS) if (type === stepMessageType(step, event)) return { step, event };
  return null;
}
