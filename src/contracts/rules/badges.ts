export const STEP_STATUSES = ['in-progress', 'completed', 'failed'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

export const BADGES = ['new', 'processing', 'pending', 'sent', 'error'] as const;
export type Badge = (typeof BADGES)[number];
export const BADGE_LABELS: Record<Badge, string> = {
  new: 'New',
  processing: 'Processing',
  pending: 'Pending',
  sent: 'Sent',
  error: 'Error',
};

/** All that the badges of an interview depend on. */
export interface BadgeFacts {
  youtubeId: string | null;
  youtubeStatus: StepStatus | null;
  transcriptionStatus: StepStatus | null;
  summaryStatus: StepStatus | null;
  destinationId: string | null;
}

const steps = (facts: BadgeFacts) => [facts.youtubeStatus, facts.transcriptionStatus, facts.summaryStatus];
const busy = (facts: BadgeFacts) => steps(facts).includes('in-progress');
const hasResult = (facts: BadgeFacts) =>
  facts.youtubeId !== null || facts.transcriptionStatus === 'completed' || facts.summaryStatus === 'completed';

/** Section 4 of the specification, a line per badge. More than one may hold: a sent interview can also show an error. */
const HOLDS: Record<Badge, (facts: BadgeFacts) => boolean> = {
  new: (facts) => !hasResult(facts) && facts.destinationId === null,
  processing: busy,
  pending: (facts) => hasResult(facts) && !busy(facts) && facts.destinationId === null,
  sent: (facts) => facts.destinationId !== null,
  error: (facts) => steps(facts).includes('failed'),
};

/** The badges of an interview, in the order of `BADGES`. */
export const badgesOf = (facts: BadgeFacts): Badge[] => BADGES.filter((badge) => HOLDS[badge](facts));
