import { type Badge, type BadgeFacts, badgesOf, STEP_STATUSES, type StepStatus } from '#contracts/rules/badges.ts';

/** `interview.facts` has eight bits; migration 0002 says which. */
const ALL_FACTS = Array.from({ length: 256 }, (_, facts) => facts);

const stepAt = (facts: number, shift: number): StepStatus | null => STEP_STATUSES[((facts >> shift) & 3) - 1] ?? null;

/** Reads the bits back: which id it is does not matter to a badge, only that there is one. */
export const decodeFacts = (facts: number): BadgeFacts => ({
  youtubeId: facts & 1 ? 'present' : null,
  destinationId: facts & 2 ? 'present' : null,
  youtubeStatus: stepAt(facts, 2),
  transcriptionStatus: stepAt(facts, 4),
  summaryStatus: stepAt(facts, 6),
});

/**
 * A bit for each value of `facts`, 1 where its interviews show this badge. The rule stays in contracts/rules/badges.ts alone; the
 * database is only asked for values, as bits because a list of half of them takes it longer to plan than the whole page to read.
 */
export const factsMask = (badge: Badge): string =>
  ALL_FACTS.map((facts) => (badgesOf(decodeFacts(facts)).includes(badge) ? '1' : '0')).join('');
