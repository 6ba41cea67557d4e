import { type PointerEvent, useMemo, useState } from 'react';
import { plainText } from '#contracts/rules/plain-text.ts';
import type { AnsweredQuestion } from '#web/features/interviews/dialogs/player/use-answers.ts';
import { segmentAt } from '#web/features/interviews/dialogs/player/use-spoken-segment.ts';
import { formatDuration } from '#web/lib/format.ts';

interface Chapter {
  startSeconds: number;
  /** Empty before the first answer. */
  name: string;
}

interface Props {
  questions: readonly AnsweredQuestion[];
  /** The moments of comments. */
  marks: readonly number[];
  seconds: number;
  duration: number;
  onSeek: (seconds: number) => void;
}

const clock = (seconds: number) => formatDuration(Math.floor(seconds));

/** The answers of the video as chapters, at least one. */
function chaptersOf(questions: readonly AnsweredQuestion[]): Chapter[] {
  const chapters = questions
    .flatMap(({ start, seconds, position, question }) => {
      const length = seconds === null ? '' : ` (${clock(Math.round(seconds))})`;
      return start === null ? [] : [{ startSeconds: start, name: `${position + 1}. ${plainText(question)}${length}` }];
    })
    .sort((a, b) => a.startSeconds - b.startSeconds);
  return chapters[0]?.startSeconds === 0 ? chapters : [{ startSeconds: 0, name: '' }, ...chapters];
}

/**
 * A slider over the whole video. Gaps separate the chapters; pointing at one shows its question.
 */
export function SeekBar({ questions, marks, seconds, duration, onSeek }: Props) {
  const chapters = useMemo(() => chaptersOf(questions), [questions]);
  const [pointed, setPointed] = useState<number | null>(null);
  const nameAt = (time: number) => chapters[segmentAt(chapters, time)]?.name;
  const label = (time: number, rest = '') => [`${clock(time)}${rest}`, nameAt(time)].filter(Boolean).join(', ');
  const point = ({ currentTarget, clientX }: PointerEvent<HTMLInputElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(Math.min(1, Math.max(0, (clientX - left) / width)));
  };
  return (
    <div className="relative flex h-6 grow items-center max-md:h-11">
      <div
        aria-hidden
        className="pointer-events-none absolute inset-x-0 flex h-1.5 gap-0.5 overflow-hidden rounded-full"
      >
        {chapters.map(({ startSeconds }, index) => (
          <ChapterTrack
            key={startSeconds}
            start={startSeconds}
            end={chapters[index + 1]?.startSeconds ?? duration}
            seconds={seconds}
          />
        ))}
      </div>
      {duration > 0 && <Marks marks={marks} duration={duration} />}
      <input
        type="range"
        data-seek
        aria-label="Seek"
        aria-valuetext={label(seconds, ` of ${clock(duration)}`)}
        min={0}
        max={Math.max(duration, 0.1)}
        step={0.1}
        value={Math.min(seconds, duration)}
        onChange={(event) => onSeek(Number(event.target.value))}
        onPointerMove={point}
        onPointerLeave={() => setPointed(null)}
        className="slider absolute inset-x-0 h-full w-full rounded-sm"
      />
      {pointed !== null && duration > 0 && (
        <span
          aria-hidden
          style={{ left: `${pointed * 100}%`, translate: `-${pointed * 100}%` }}
          className="pointer-events-none absolute bottom-full z-10 max-w-full truncate rounded-md bg-raised px-2 py-1 text-xs text-ink tabular-nums shadow-pop"
        >
          {label(pointed * duration)}
        </span>
      )}
    </div>
  );
}

/** Dots above the bar. The list of comments has them for screen readers. */
const Marks = ({ marks, duration }: { marks: readonly number[]; duration: number }) =>
  [...new Set(marks)].map((moment) => (
    <span
      key={moment}
      aria-hidden
      data-mark={moment}
      style={{ left: `${Math.min(1, moment / duration) * 100}%` }}
      className="keep-color pointer-events-none absolute top-0 size-1.5 -translate-x-1/2 rounded-full bg-warning-ink"
    />
  ));

/** One chapter's part of the bar, filled up to the playback position. */
function ChapterTrack({ start, end, seconds }: { start: number; end: number; seconds: number }) {
  const length = Math.max(0.001, end - start);
  const played = Math.min(1, Math.max(0, (seconds - start) / length));
  return (
    <span style={{ flexGrow: length }} className="keep-color min-w-1 bg-control/50">
      <span style={{ width: `${played * 100}%` }} className="keep-color block h-full bg-accent" />
    </span>
  );
}
