import { expect, test } from 'vitest';
import { BADGES, type BadgeFacts, badgesOf, STEP_STATUSES } from './badges.ts';

const STATUSES = [null, ...STEP_STATUSES];
/** All combinations of facts. */
const ALL: BadgeFacts[] = [null, 'yt'].flatMap((youtubeId) =>
  [null, 'BUB-A-1'].flatMap((destinationId) =>
    STATUSES.flatMap((youtubeStatus) =>
      STATUSES.flatMap((transcriptionStatus) =>
        STATUSES.map((summaryStatus) => ({
          youtubeId,
          youtubeStatus,
          transcriptionStatus,
          summaryStatus,
          destinationId,
        })),
      ),
    ),
  ),
);
const steps = (facts: BadgeFacts) => [facts.youtubeStatus, facts.transcriptionStatus, facts.summaryStatus];
/** The facts whose badges satisfy `holds`. */
const those = (holds: (badges: string[]) => boolean) => ALL.filter((facts) => holds(badgesOf(facts)));

test('every interview has a badge, each at most once, in their order', () => {
  expect(ALL).toHaveLength(256);
  expect(those((badges) => badges.length === 0)).toEqual([]);
  for (const facts of ALL) expect(badgesOf(facts)).toEqual(BADGES.filter((badge) => badgesOf(facts).includes(badge)));
});

test('new, pending and sent exclude each other, and only processing interviews can lack all three', () => {
  const ends = (badges: string[]) => badges.filter((badge) => ['new', 'pending', 'sent'].includes(badge));
  expect(those((badges) => ends(badges).length > 1)).toEqual([]);
  expect(those((badges) => ends(badges).length === 0 && !badges.includes('processing'))).toEqual([]);
  expect(those((badges) => badges.includes('pending') && badges.includes('processing'))).toEqual([]);
});

test('each badge follows the specification', () => {
  for (const facts of ALL) {
    const { youtubeId, transcriptionStatus, summaryStatus, destinationId } = facts;
    const badges = badgesOf(facts);
    const hasAny = youtubeId !== null || transcriptionStatus === 'completed' || summaryStatus === 'completed';
    const inProgress = steps(facts).some((status) => status === 'in-progress');
    expect([facts, badges]).toEqual([
      facts,
      [
        ...(youtubeId === null && transcriptionStatus !== 'completed' && summaryStatus !== 'completed' && !destinationId
          ? ['new']
          : []),
        ...(inProgress ? ['processing'] : []),
        ...(hasAny && !destinationId && !inProgress ? ['pending'] : []),
        ...(destinationId ? ['sent'] : []),
        ...(steps(facts).some((status) => status === 'failed') ? ['error'] : []),
      ],
    ]);
  }
});

test('processing and error depend on the steps only, sent on the destination only', () => {
  for (const facts of ALL) {
    const other: BadgeFacts = { ...facts, youtubeId: 'other', destinationId: null };
    const badges = badgesOf(facts);
    for (const badge of ['processing', 'error'] as const)
      expect(badgesOf(other).includes(badge)).toBe(badges.includes(badge));
    expect(badges.includes('sent')).toBe(facts.destinationId !== null);
  }
});
