import type { ReactNode } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { hasAllSteps } from '#contracts/rules/badges.ts';
import { recommendationLabel } from '#contracts/rules/recommendations.ts';
import { useMay } from '#web/lib/may.ts';
import { nameOfKey, PLAYER_KEYS } from '#web/lib/player-keys.ts';
import { Button } from '#web/ui/forms/button.tsx';
import type { Review } from './use-review.ts';

interface Props {
  interview: Interview;
  review: Review;
  onDestination: () => void;
  onSummary: () => void;
}

const KEYS = {
  done: nameOfKey(PLAYER_KEYS.done.keys[0]),
  archive: nameOfKey(PLAYER_KEYS.archive.keys[0]),
  destination: nameOfKey(PLAYER_KEYS.destination.keys[0]),
  summary: nameOfKey(PLAYER_KEYS.summary.keys[0]),
};

/** Omits "strong no", which requires a review with a scorecard. */
const DECISIONS = [
  { recommendation: 2, hint: nameOfKey(PLAYER_KEYS.no.keys[0]) },
  { recommendation: 3, hint: nameOfKey(PLAYER_KEYS.yes.keys[0]) },
  { recommendation: 4, hint: nameOfKey(PLAYER_KEYS.strongYes.keys[0]) },
] as const;

/** The decisions about the open interview, with the keys of the player. */
export function ActionBar({ interview, review, onDestination, onSummary }: Props) {
  const may = useMay();
  return (
    <fieldset aria-label="Actions" className="mt-4 flex flex-wrap gap-2 max-sm:mt-3 max-sm:gap-1.5">
      <Action
        name={review.isByAnswer ? 'Next' : 'Done'}
        hint={KEYS.done}
        variant="primary"
        title={review.isByAnswer ? 'Continue to the next answer' : 'Mark as reviewed and continue'}
        onClick={review.finish}
      />
      {DECISIONS.map(({ recommendation, hint }) => (
        <Action
          key={recommendation}
          name={recommendationLabel(recommendation)}
          hint={hint}
          title={`Review: ${recommendationLabel(recommendation).toLowerCase()}, and continue`}
          aria-pressed={interview.myRecommendation === recommendation}
          onClick={() => review.recommend(recommendation)}
        />
      ))}
      {review.canArchive && (
        <Action name="Archive" hint={KEYS.archive} title="Archive and continue" onClick={review.archive} />
      )}
      {may('POST /api/interviews/:id/destination') && (
        <Action
          name="Destination"
          hint={KEYS.destination}
          title={interview.destinationId ? 'Update the destination' : 'Set the destination'}
          // Not disabled: it explains what is missing.
          aria-disabled={!hasAllSteps(interview)}
          onClick={onDestination}
        />
      )}
      <Action
        name="Summary"
        hint={KEYS.summary}
        title={may('POST /api/interviews/:id/summarize') ? 'Show or generate the summary' : 'Show the summary'}
        onClick={onSummary}
      />
    </fieldset>
  );
}

interface ActionProps {
  name: string;
  /** The key. */
  hint: string;
  title: string;
  variant?: 'primary' | 'secondary';
  'aria-disabled'?: boolean;
  'aria-pressed'?: boolean;
  onClick: () => void;
}

const Action = ({ name, hint, variant = 'secondary', ...props }: ActionProps) => (
  <Button
    variant={variant}
    aria-keyshortcuts={hint}
    className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-ink max-sm:grow max-sm:px-1.5 max-sm:text-sm"
    {...props}
  >
    {name}
    <KeyHint>{hint}</KeyHint>
  </Button>
);

/** Hidden on devices without a keyboard. */
const KeyHint = ({ children }: { children: ReactNode }) => (
  <kbd
    aria-hidden
    className="ml-0.5 grid h-5 min-w-5 place-items-center rounded-sm border border-current/25 px-1 font-sans text-xs opacity-80 max-md:hidden pointer-coarse:hidden"
  >
    {children}
  </kbd>
);
