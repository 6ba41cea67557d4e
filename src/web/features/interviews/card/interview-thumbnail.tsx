import { Play } from 'lucide-react';
import { useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { cn } from '#web/lib/cn.ts';

interface Props {
  interview: Interview;
  onPlay: () => void;
  /** Loads the picture immediately, for interviews in the first row. */
  eager?: boolean;
  compact?: boolean;
  className?: string;
}

/** The addresses of the picture, the preferred one first. */
const sourcesOf = ({ thumbnailFile, thumbnailUrl }: Interview) =>
  [thumbnailFile && `/api/files/thumbnail/${encodeURIComponent(thumbnailFile)}`, thumbnailUrl].filter(
    (source) => typeof source === 'string' && source !== '',
  );

export const hasVideo = ({ videoUrl, hasLocalCopy }: Interview) => hasLocalCopy || Boolean(videoUrl);

export function InterviewThumbnail({ interview, onPlay, eager = false, compact = false, className }: Props) {
  if (!hasVideo(interview)) {
    return (
      <div className={cn('relative aspect-video w-full overflow-hidden bg-sunken', className)}>
        <Picture key={sourcesOf(interview).join(' ')} interview={interview} eager={eager} />
        <span
          className={cn(
            'absolute rounded-md bg-black/60 font-medium text-white',
            compact ? 'bottom-1 left-1 px-1 text-xs' : 'bottom-3 left-3 px-2 py-0.5 text-sm',
          )}
        >
          No video
        </span>
      </div>
    );
  }
  return (
    <button
      type="button"
      data-play
      aria-label={`Play ${interview.title}`}
      onClick={onPlay}
      className={cn(
        'group/play relative block aspect-video w-full overflow-hidden bg-sunken focus-visible:-outline-offset-2',
        className,
      )}
    >
      <Picture key={sourcesOf(interview).join(' ')} interview={interview} eager={eager} />
      <span
        aria-hidden
        className={cn(
          'absolute grid place-items-center rounded-full bg-black/60 text-white shadow-pop ring-1 ring-white/25 backdrop-blur-xs transition duration-150 group-hover/play:scale-108 group-hover/play:bg-accent',
          // Not in the middle, where the face is.
          compact ? 'bottom-1 left-1 size-6' : 'bottom-3 left-3 size-10',
        )}
      >
        <Play className={cn('translate-x-px fill-current', compact ? 'size-3' : 'size-4.5')} />
      </span>
    </button>
  );
}

function Picture({ interview, eager }: { interview: Interview; eager: boolean }) {
  const [failures, setFailures] = useState(0);
  const source = sourcesOf(interview)[failures];
  if (!source) return <Placeholder />;
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

const Placeholder = () => <span className="block size-full bg-linear-to-br from-sunken to-control/40" />;
