import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Interview, VideoInfo } from '#contracts/interviews.ts';
import { recommendationLabel } from '#contracts/rules/recommendations.ts';
import { thumbnailFileUrl } from '#web/features/interviews/card/interview-thumbnail.tsx';
import {
  firstSource,
  partsOf,
  sourcesOf,
  type VideoPart,
} from '#web/features/interviews/dialogs/player/interview-parts.ts';
import { useRecordPlaying } from '#web/features/interviews/dialogs/player/use-record-playing.ts';
import { useVideoParts } from '#web/features/interviews/dialogs/player/use-video-parts.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatDate } from '#web/lib/format.ts';

/** A new object for each click, so that a second click plays the moment again. */
export interface PlayedMoment {
  id: string;
  at: number;
}

interface Props {
  interview: Interview;
  /** The position to play from. Null pauses. */
  moment: PlayedMoment | null;
  onPlay: (seconds: number) => void;
}

/** The head of a column: the candidate with the video. */
export function ComparedVideo({ interview, moment, onPlay }: Props) {
  const { id, title, candidateName, thumbnailFile, thumbnailUrl, myRecommendation } = interview;
  const name = candidateName || title;
  /** Keeps the video on screen while another one plays. */
  const [shown, setShown] = useState(moment);
  if (moment && moment !== shown) setShown(moment);
  const video = useRef<HTMLVideoElement>(null);
  const recordPlaying = useRecordPlaying(id);
  const { data, error } = useQuery({
    ...endpointQuery('/api/interviews/:id/video', { params: { id } }),
    enabled: shown !== null,
    retry: 1,
  });
  const parts = useShownParts(shown && data);
  useVideoParts(video, parts);
  useEffect(() => {
    if (!moment) video.current?.pause();
  }, [moment]);
  useEffect(() => {
    if (shown && data && video.current) playAt(video.current, data, shown.at);
  }, [shown, data]);
  const isMissing = error !== null || (data != null && firstSource(data) === undefined);
  const poster = thumbnailFile ? thumbnailFileUrl(thumbnailFile) : thumbnailUrl;
  return (
    <li className="min-w-0">
      <div className="not-printed relative mb-2 aspect-video overflow-hidden rounded-lg bg-black">
        {shown ? (
          <video
            ref={video}
            aria-label={`Video of ${name}`}
            className="size-full"
            controls={!isMissing}
            playsInline
            {...(poster && { poster })}
            onPlay={recordPlaying}
          >
            {interview.transcriptionStatus === 'completed' && parts.length === 0 && (
              <track kind="captions" label="Transcript" src={`/api/interviews/${encodeURIComponent(id)}/captions`} />
            )}
          </video>
        ) : (
          <button
            type="button"
            aria-label={`Play ${name}`}
            className="grid size-full place-items-center -outline-offset-4"
            onClick={() => onPlay(0)}
          >
            {poster && <img src={poster} alt="" className="absolute inset-0 size-full object-cover" />}
            <span className="relative grid size-11 place-items-center rounded-full bg-black/60 text-white">
              <Play aria-hidden className="size-5" />
            </span>
          </button>
        )}
        {isMissing && (
          <p className="absolute inset-0 grid place-items-center bg-black/60 text-sm text-white">Video not available</p>
        )}
      </div>
      <p className="font-semibold break-words">
        <Link href={`/?${new URLSearchParams({ interview: id })}`} className="hover:underline">
          {name}
        </Link>
      </p>
      <p className="text-sm text-muted">
        {formatDate(interview.recordedDate)}
        {myRecommendation !== null && ` · My decision: ${recommendationLabel(myRecommendation)}`}
      </p>
    </li>
  );
}

const NO_PARTS: readonly VideoPart[] = [];

/** The recordings to play one after another. Usually empty. */
const useShownParts = (data: VideoInfo | null | undefined) =>
  useMemo(() => (data && sourcesOf(data).length === 0 ? partsOf(data) : NO_PARTS), [data]);

function playAt(video: HTMLVideoElement, info: VideoInfo, at: number): void {
  const source = firstSource(info);
  if (!source) return;
  // With separate recordings, the source is the one that plays.
  const isSet = sourcesOf(info).length > 0 ? video.getAttribute('src') === source : video.hasAttribute('src');
  if (!isSet) video.setAttribute('src', source);
  // Before the metadata is loaded, this is where the video begins.
  video.currentTime = at;
  video.scrollIntoView({ block: 'nearest' });
  // Browsers may refuse to play without a click; the controls still do.
  void video.play().catch(() => {});
}
