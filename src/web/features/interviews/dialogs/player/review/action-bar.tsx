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

const hintOf = (command: keyof typeof PLAYER_KEYS) => nameOfKey(PLAYER_KEYS[command].keys[0]);

/** Omits "strong no", which requires a review with a scorecard. */
const DECISIONS = [
  { recommendation: 2, hint: hintOf('no') },
  { recommendation: 3, hint: hintOf('yes') },
  { recommendation: 4, hint: hintOf('strongYes') },
] as const;

/** The decisions about the open interview, with the keys of the player. */
export function ActionBar({ interview, review, onDestination, onSummary }: Props) {
  const may = useMay();
  return (
    <fieldset aria-label="Actions" className="mt-4 flex flex-wrap gap-2 max-sm:mt-3 max-sm:gap-1.5">
      <Action
        name={review.isByAnswer ? 'Next' : 'Done'}
        hint={hintOf('done')}
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
        <Action name="Archive" hint={hintOf('archive')} title="Archive and continue" onClick={review.archive} />
      )}
      {may('POST /api/interviews/:id/destination') && (
        <Action
          name="Destination"
          hint={hintOf('destination')}
          title={interview.destinationId ? 'Update the destination' : 'Set the destination'}
          // Not disabled: it explains what is missing.
          aria-disabled={!hasAllSteps(interview)}
          onClick={onDestination}
        />
      )}
      <Action
        name="Summary"
        hint={hintOf('summary')}
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
