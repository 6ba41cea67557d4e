import { VideoOff } from 'lucide-react';
import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react';
import type { SharedItem, SharedPage } from '#contracts/shares.ts';
import { SCREEN, togglePlay } from '#web/features/interviews/dialogs/player/controls/video-commands.ts';
import { VideoControls } from '#web/features/interviews/dialogs/player/controls/video-controls.tsx';
import { formatDate } from '#web/lib/format.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { linkUrl } from './guest-link.ts';
import { useWatched } from './use-watched.ts';

interface Props {
  page: SharedPage;
  item: SharedItem;
  video: RefObject<HTMLVideoElement | null>;
  onSeek: (seconds: number) => void;
}

export function GuestPlayer({ page, item, video, onSeek }: Props) {
  // The element stays after an error: the transcript and `useWatched` listen to it.
  const [isBroken, setBroken] = useState(false);
  const screen = useRef<HTMLDivElement>(null);
  const questions = useMemo(
    () =>
      (item.questions ?? []).map(({ startSeconds, ...question }) => ({
        ...question,
        ...{ start: startSeconds, seconds: null, isReady: true },
      })),
    [item.questions],
  );
  useWatched(video, item.n);
  if (!item.hasVideo)
    return (
      <Screen>
        <Notice>This interview has no video.</Notice>
      </Screen>
    );
  const retry = () => {
    setBroken(false);
    video.current?.load();
    screen.current?.focus();
  };
  const hasCaptions = item.segments.length > 0;
  return (
    <div
      ref={screen}
      tabIndex={-1}
      {...{ [SCREEN]: true }}
      className="outline-none [&:fullscreen]:flex [&:fullscreen]:flex-col [&:fullscreen]:scheme-dark"
    >
      <Screen watermark={`${page.recipient} · ${formatDate(new Date())}`}>
        {/* biome-ignore lint/a11y/useMediaCaption: it has captions when the transcript is shown */}
        <video
          ref={video}
          src={linkUrl(`video/${item.n}`)}
          onClick={(event) => togglePlay(event.currentTarget)}
          controlsList="nodownload"
          disablePictureInPicture
          onContextMenu={(event) => event.preventDefault()}
          playsInline
          preload="metadata"
          poster={item.hasThumbnail ? linkUrl(`thumbnail/${item.n}`) : undefined}
          aria-label={item.title}
          onError={() => setBroken(true)}
          className="block size-full"
        >
          {hasCaptions && <track kind="captions" label="Transcript" src={linkUrl(`captions/${item.n}`)} />}
        </video>
        {isBroken && (
          <Notice>
            This video can't be played right now.
            <Button size="sm" onClick={retry}>
              Retry
            </Button>
          </Notice>
        )}
      </Screen>
      <VideoControls
        video={video}
        questions={questions}
        knownDuration={item.durationSeconds}
        hasCaptions={hasCaptions}
        takesFocus={false}
        onSeek={onSeek}
      />
    </div>
  );
}

/** Covers the screen. */
const Notice = ({ children }: { children: ReactNode }) => (
  <div className="absolute inset-0 flex flex-col items-center justify-center gap-3 bg-black text-white">
    <VideoOff aria-hidden className="size-6" />
    {children}
  </div>
);

/** The watermark identifies the recipient in photos of the screen. */
export const Screen = ({ watermark, children }: { watermark?: string; children?: ReactNode }) => (
  <div className="relative aspect-video w-full overflow-hidden rounded-lg bg-black in-[:fullscreen]:aspect-auto in-[:fullscreen]:min-h-0 in-[:fullscreen]:grow in-[:fullscreen]:rounded-none">
    {children}
    {watermark && (
      <span
        data-watermark
        className="pointer-events-none absolute top-3 right-3 max-w-[90%] truncate rounded-sm bg-black/50 px-2 py-0.5 text-xs text-white select-none"
      >
        {watermark}
      </span>
    )}
  </div>
);
