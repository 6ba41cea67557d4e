import { type BadgeFacts, type Badge as BadgeName, badgesOf } from '#contracts/rules/badges.ts';
import { Badge } from '#web/ui/badge.tsx';

const LOOKS = {
  new: { label: 'New', tone: 'accent' },
  processing: { label: 'Processing', tone: 'info' },
  pending: { label: 'Pending', tone: 'warning' },
  sent: { label: 'Sent', tone: 'success' },
  error: { label: 'Error', tone: 'danger' },
} as const satisfies Record<BadgeName, unknown>;

export function InterviewBadges({ facts }: { facts: BadgeFacts }) {
  return badgesOf(facts).map((badge) => (
    <Badge key={badge} tone={LOOKS[badge].tone}>
      <span
        aria-hidden
        className={`size-1.5 rounded-full bg-current ${badge === 'processing' ? 'animate-pulse' : ''}`}
      />
      {LOOKS[badge].label}
    </Badge>
  ));
}
