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

export interface BadgeFacts {
  youtubeId: string | null;
  youtubeStatus: StepStatus | null;
  transcriptionStatus: StepStatus | null;
  summaryStatus: StepStatus | null;
  destinationId: string | null;
}

const stepStatuses = (facts: BadgeFacts) => [facts.youtubeStatus, facts.transcriptionStatus, facts.summaryStatus];
const isBusy = (facts: BadgeFacts) => stepStatuses(facts).includes('in-progress');
const hasResult = (facts: BadgeFacts) =>
  facts.youtubeId !== null || facts.transcriptionStatus === 'completed' || facts.summaryStatus === 'completed';

/**
 * Section 4 of the specification. Several badges may apply: a sent interview can also have an
 * error.
 */
const BADGE_RULES: Record<Badge, (facts: BadgeFacts) => boolean> = {
  new: (facts) => !hasResult(facts) && facts.destinationId === null,
  processing: isBusy,
  pending: (facts) => hasResult(facts) && !isBusy(facts) && facts.destinationId === null,
  sent: (facts) => facts.destinationId !== null,
  error: (facts) => stepStatuses(facts).includes('failed'),
};

/** Section 4 of the specification: a destination needs the video on YouTube and both texts. */
export const hasAllSteps = ({
  youtubeId,
  transcriptionStatus,
  summaryStatus,
}: Pick<BadgeFacts, 'youtubeId' | 'transcriptionStatus' | 'summaryStatus'>): boolean =>
  youtubeId !== null && transcriptionStatus === 'completed' && summaryStatus === 'completed';

/** A destination can be set and is missing. */
export const isReadyToSend = (facts: BadgeFacts): boolean => hasAllSteps(facts) && facts.destinationId === null;

/** Returns the badges in the order of `BADGES`. */
export const badgesOf = (facts: BadgeFacts): Badge[] => BADGES.filter((badge) => BADGE_RULES[badge](facts));
