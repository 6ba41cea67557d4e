import { BADGE_LABELS, type BadgeFacts, type Badge as BadgeName, badgesOf } from '#contracts/rules/badges.ts';
import { Badge } from '#web/ui/badge.tsx';

const TONES = {
  new: 'accent',
  processing: 'info',
  pending: 'warning',
  sent: 'success',
  error: 'danger',
} as const satisfies Record<BadgeName, unknown>;

export function InterviewBadges({ facts }: { facts: BadgeFacts }) {
  return badgesOf(facts).map((badge) => (
    <Badge key={badge} tone={TONES[badge]}>
      <span
        aria-hidden
        className={`size-1.5 rounded-full bg-current ${badge === 'processing' ? 'animate-pulse' : ''}`}
      />
      {BADGE_LABELS[badge]}
    </Badge>
  ));
}
