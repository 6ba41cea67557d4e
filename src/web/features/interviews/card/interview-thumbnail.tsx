import { Play, UserRound } from 'lucide-react';
import { type CSSProperties, useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { cn } from '#web/lib/cn.ts';
import { toast } from '#web/lib/toast.ts';

interface Props {
  interview: Interview;
  onPlay: () => void;
  /** Loads the picture immediately, for interviews in the first row. */
  eager?: boolean;
  compact?: boolean;
  className?: string;
}

export const thumbnailFileUrl = (file: string) => `/api/files/thumbnail/${encodeURIComponent(file)}`;

/** The URLs of the picture, the preferred one first. */
const sourcesOf = ({ thumbnailFile, thumbnailUrl }: Interview) =>
  [thumbnailFile && thumbnailFileUrl(thumbnailFile), thumbnailUrl].filter(
    (source) => typeof source === 'string' && source !== '',
  );

export const hasVideo = ({ videoUrl, hasLocalCopy }: Interview) => hasLocalCopy || Boolean(videoUrl);

/** Why the card does not show a play button: null when it does. */
const noteOf = (interview: Interview): string | null => {
  if (hasVideo(interview) || interview.separateAnswers?.isPreparing === false) return null;
  return interview.separateAnswers ? 'Preparing video' : 'No video';
};

/** The player can play answers that are not joined yet. */
const canPlay = (interview: Interview) => hasVideo(interview) || interview.separateAnswers !== null;

const showMissing = () => toast({ title: 'Error', description: 'Video not available', variant: 'destructive' });

export function InterviewThumbnail({ interview, onPlay, eager = false, compact = false, className }: Props) {
  const note = noteOf(interview);
  return (
    <button
      type="button"
      data-play
      aria-label={`${note ? `${note}:` : 'Play'} ${interview.title}`}
      onClick={canPlay(interview) ? onPlay : showMissing}
      className={cn(
        'group/play relative block w-full overflow-hidden bg-sunken focus-visible:-outline-offset-2 forced-colors:border-0!',
        className,
      )}
    >
      <Picture key={sourcesOf(interview).join(' ')} interview={interview} eager={eager} compact={compact} />
      {note ? (
        <span
          className={cn(
            'absolute rounded-md bg-black/60 font-medium text-white',
            compact
              ? 'inset-x-0 bottom-0 rounded-none text-center text-[0.625rem] leading-3.5'
              : 'bottom-1 left-1 px-1.5 text-[0.6875rem]',
          )}
        >
          {/* The whole text does not fit. */}
          {compact && interview.separateAnswers ? 'Preparing' : note}
        </span>
      ) : (
        <span
          aria-hidden
          className={cn(
            'absolute grid place-items-center rounded-full bg-black/60 text-white shadow-pop ring-1 ring-white/25 backdrop-blur-xs transition duration-150 group-hover/play:scale-108 group-hover/play:bg-accent',
            // In a corner, because the face is in the middle.
            compact ? 'bottom-0.5 left-0.5 size-5' : 'bottom-1.5 left-1.5 size-7',
          )}
        >
          <Play className={cn('translate-x-px fill-current', compact ? 'size-3' : 'size-3.5')} />
        </span>
      )}
    </button>
  );
}

function Picture({ interview, eager, compact }: { interview: Interview; eager: boolean; compact: boolean }) {
  const [failures, setFailures] = useState(0);
  const source = sourcesOf(interview)[failures];
  if (!source) return <Initials interview={interview} compact={compact} />;
  return (
    <img
      src={source}
      alt=""
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : 'auto'}
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setFailures(failures + 1)}
      className="size-full object-cover transition-transform duration-300 group-hover/play:scale-102"
    />
  );
}

/** Up to two letters of the candidate's name, in a color that depends on the name. */
function Initials({ interview, compact }: { interview: Interview; compact: boolean }) {
  const name = interview.candidateName || interview.title;
  const hue = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0) * 7, 0) % 360;
  return (
    <span
      aria-hidden
      className={cn(
        compact ? 'text-sm' : 'text-xl',
        // Next to the play button, or above the note.
        compact && (noteOf(interview) === null ? 'pl-5 max-md:pb-4 max-md:pl-0' : 'pb-3.5'),
        'grid size-full place-items-center bg-[light-dark(oklch(0.93_0.035_var(--hue)),oklch(0.29_0.04_var(--hue)))] font-semibold text-[light-dark(oklch(0.42_0.08_var(--hue)),oklch(0.85_0.06_var(--hue)))]',
      )}
      style={{ '--hue': hue } as CSSProperties}
    >
      {initialsOf(name) || <UserRound className={compact ? 'size-4' : 'size-6'} />}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /\p{Letter}/u.test(word));
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return [first, last]
    .map((word) => /\p{Letter}/u.exec(word ?? '')?.[0] ?? '')
    .join('')
    .toUpperCase();
}
