import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useCallback, useRef, useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { thumbnailFileUrl } from '#web/features/interviews/card/interview-thumbnail.tsx';
import { userQuery } from '#web/features/session/session.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { SCREEN, togglePlay } from './controls/video-commands.ts';
import { VideoControls } from './controls/video-controls.tsx';
import { endOf, type VideoPart } from './interview-parts.ts';
import type { Excerpt } from './review/asked-answer.tsx';
import { SidePanel } from './side-panel.tsx';
import { useDurationCorrection } from './use-duration-correction.ts';
import { useRememberedMedia } from './use-remembered-media.ts';
import { useVideoParts } from './use-video-parts.ts';

export interface VideoPlayerProps {
  interview: Interview;
  /** URLs of the video. When one fails, the next is tried. */
  sources: readonly string[];
  /**
   * The recordings to play one after another, beginning with the first source. Usually empty.
   */
  parts: readonly VideoPart[];
  transcript: ComponentProps<typeof SidePanel>['transcript'];
  /** The properties of the side panel that do not depend on the video. */
  panel: Omit<ComponentProps<typeof SidePanel>, 'interview' | 'video' | 'onSeek' | 'transcript'>;
  /** Shown below the video. */
  actions: ReactNode;
  /** Called several times a second while the video plays. */
  onPlaying: () => void;
  /** Called while the last tenth of the video plays. */
  onWatched: () => void;
  /**
   * Moves the focus from the tab to the play button, where the arrow keys jump instead of switching
   * tabs. True when the dialog has just opened, false when the user moves between its tabs.
   */
  takesFocus: boolean;
  /** The part to play. Null: all. */
  excerpt: Excerpt | null;
  /** Tries all sources again, with a new player. */
  onRetry: () => void;
}

const WATCHED_SHARE = 0.9;

/**
 * Section 2 of the specification: no download, no picture-in-picture, no context menu; closing
 * pauses and resets.
 */
export function VideoPlayer({
  interview,
  sources,
  parts,
  transcript,
  panel,
  actions,
  takesFocus,
  excerpt,
  onPlaying,
  onWatched,
  onRetry,
}: VideoPlayerProps) {
  const [failures, setFailures] = useState(0);
  const queryClient = useQueryClient();
  const measure = useDurationCorrection(interview);
  const source = sources[failures];
  const { video, attach } = useAttachedVideo(source);
  useVideoParts(video, parts);
  // Stable, so that the lines of the transcript do not render again.
  const seek = useCallback(
    (seconds: number) => {
      if (video.current) video.current.currentTime = seconds;
    },
    [video],
  );
  // The times of captions count from the start of the whole interview, so parts have none.
  const hasCaptions = transcript.segments.length > 0 && parts.length === 0;
  const marks = useCommentMoments(interview.id);
  const remembered = useRememberedMedia(video, { interviewId: interview.id, hasCaptions, excerpt });
  if (!source) return <Unplayable onRetry={onRetry}>{actions}</Unplayable>;
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div>
        <div {...{ [SCREEN]: true }} className="[&:fullscreen]:flex [&:fullscreen]:flex-col [&:fullscreen]:scheme-dark">
          {/* Black around the video, which keeps its shape. From edge to edge on phones. The black is a pixel
            smaller than the video, or its corners would show around those of the video. */}
          <div className="relative isolate overflow-hidden before:absolute before:inset-0 before:-z-10 before:bg-black in-[:fullscreen]:m-0 in-[:fullscreen]:min-h-0 in-[:fullscreen]:grow in-[:fullscreen]:rounded-none max-sm:-mx-5 sm:rounded-lg sm:before:inset-px sm:before:rounded-lg">
            <video
              key={source}
              ref={attach}
              src={source}
              onClick={(event) => togglePlay(event.currentTarget)}
              controlsList="nodownload"
              disablePictureInPicture
              onContextMenu={(event) => event.preventDefault()}
              autoPlay
              playsInline
              preload="metadata"
              poster={interview.thumbnailFile ? thumbnailFileUrl(interview.thumbnailFile) : undefined}
              aria-label={interview.title}
              {...remembered}
              onLoadedMetadata={(event) => {
                remembered.onLoadedMetadata(event);
                measure(event.currentTarget.duration);
              }}
              onTimeUpdate={(event) => {
                remembered.onTimeUpdate(event);
                const { currentTime, duration, paused } = event.currentTarget;
                if (!paused) onPlaying();
                // An answer at the end is not the whole interview.
                if (!excerpt && currentTime >= WATCHED_SHARE * duration) onWatched();
              }}
              onDurationChange={(event) => measure(event.currentTarget.duration)}
              onError={() => {
                setFailures(failures + 1);
                // The session may have ended. The page then asks to sign in.
                queryClient.invalidateQueries({ queryKey: userQuery.queryKey });
              }}
              className="mx-auto block aspect-video w-[min(100%,106.6dvh)] in-[:fullscreen]:aspect-auto in-[:fullscreen]:size-full"
            >
              {hasCaptions && <Captions interviewId={interview.id} />}
            </video>
          </div>
          <VideoControls
            key={source}
            video={video}
            questions={panel.questions}
            marks={marks}
            knownDuration={interview.duration || endOf(parts)}
            hasCaptions={hasCaptions}
            takesFocus={takesFocus}
            onSeek={seek}
          />
        </div>
        {actions}
      </div>
      {/* The video sets the height of the row, and the lists scroll inside it. Next to an unfolded scorecard
        they stay as high as the video with its controls, and in view. */}
      <div className="relative min-h-0">
        <div className="lg:absolute lg:inset-0">
          <div className="flex flex-col lg:sticky lg:top-0 lg:h-full lg:max-h-[calc(60dvh+12rem)]">
            <SidePanel key={source} {...panel} {...{ interview, transcript, video }} onSeek={seek} />
          </div>
        </div>
      </div>
    </div>
  );
}

/** The server or the network may have failed, or the browser may not know the format. */
const Unplayable = ({ onRetry, children }: { onRetry: () => void; children: ReactNode }) => (
  <>
    <Alert
      tone="danger"
      title="This video couldn't be played"
      actions={
        <Button size="sm" onClick={onRetry}>
          Retry
        </Button>
      }
    >
      Check your connection and try again. If it still doesn't play, try another browser.
    </Alert>
    {children}
  </>
);

function useCommentMoments(id: string): readonly number[] {
  const { data } = useQuery({ ...endpointQuery('/api/interviews/:id/comments', { params: { id } }), retry: 1 });
  return data?.map(({ atSeconds }) => atSeconds) ?? [];
}

const Captions = ({ interviewId }: { interviewId: string }) => (
  <track kind="captions" label="Transcript" src={`/api/interviews/${encodeURIComponent(interviewId)}/captions`} />
);

/** Returns a ref that sets the source of the video and removes it on unmount, and the element. */
function useAttachedVideo(source: string | undefined) {
  const video = useRef<HTMLVideoElement>(null);
  const attach = useCallback(
    (element: HTMLVideoElement) => {
      video.current = element;
      // Strict mode attaches twice: the source must be set the second time as well.
      if (source && !element.hasAttribute('src')) element.src = source;
      return () => {
        element.pause();
        element.currentTime = 0;
        // Without a source the browser stops loading.
        element.removeAttribute('src');
        element.load();
      };
    },
    [source],
  );
  return { video, attach };
}
