import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { plainText } from '#contracts/rules/plain-text.ts';
import type { SharedItem } from '#contracts/shares.ts';
import { useSpokenSegment } from '#web/features/interviews/dialogs/player/use-spoken-segment.ts';
import { cn } from '#web/lib/cn.ts';
import { formatDuration } from '#web/lib/format.ts';

type OnSeek = (seconds: number) => void;

/** A part of the page that can be closed. */
export const Section = ({
  title,
  isOpen = true,
  children,
}: {
  title: string;
  isOpen?: boolean;
  children: ReactNode;
}) => (
  <details open={isOpen} className="rounded-xl border border-line bg-surface shadow-card">
    <summary className="cursor-pointer rounded-xl px-4 py-3 font-medium select-none">{title}</summary>
    <div className="px-4 pb-4">{children}</div>
  </details>
);

const clock = (seconds: number) => formatDuration(Math.floor(seconds));

/** `[1:05]` at the beginning of a quote. */
const TIME = /\[(\d+):(\d\d)\]/g;

/** The text with its times as buttons. */
export function Summary({ text, onSeek }: { text: string | null; onSeek: OnSeek }) {
  if (text === null) return null;
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { index, 0: label, 1: minutes, 2: seconds } of text.matchAll(TIME)) {
    parts.push(text.slice(from, index));
    parts.push(<Time key={index} seconds={Number(minutes) * 60 + Number(seconds)} onSeek={onSeek} />);
    from = index + label.length;
  }
  return (
    <Section title="Summary">
      <p className="max-h-96 overflow-y-auto break-words whitespace-pre-line" tabIndex={-1}>
        {parts}
        {text.slice(from)}
      </p>
    </Section>
  );
}

const Time = ({ seconds, onSeek }: { seconds: number; onSeek: OnSeek }) => (
  <button
    type="button"
    aria-label={`Play from ${clock(seconds)}`}
    onClick={() => onSeek(seconds)}
    className="touch-beyond relative text-accent-ink tabular-nums hover:underline"
  >
    {clock(seconds)}
  </button>
);

export function Questions({ questions, onSeek }: { questions: SharedItem['questions']; onSeek: OnSeek }) {
  if (!questions || questions.length === 0) return null;
  return (
    <Section title="Questions">
      <ol className="space-y-2">
        {questions.map(({ position, question, startSeconds }) => (
          <li key={position} className="flex gap-3">
            <span className="min-w-0 grow break-words">{plainText(question)}</span>
            {startSeconds !== null && <Time seconds={startSeconds} onSeek={onSeek} />}
          </li>
        ))}
      </ol>
    </Section>
  );
}

interface TranscriptProps {
  item: Pick<SharedItem, 'transcript' | 'segments'>;
  video: RefObject<HTMLVideoElement | null>;
  onSeek: OnSeek;
}

/** The spoken sentence is marked and kept in view. A click plays from a sentence. */
export function Transcript({ item: { transcript, segments }, video, onSeek }: TranscriptProps) {
  const spoken = useSpokenSegment(video, segments);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const line = list.current?.children[spoken];
    if (line instanceof HTMLElement && list.current)
      list.current.scrollTop = line.offsetTop - list.current.clientHeight / 3;
  }, [spoken]);
  if (!transcript) return null;
  return (
    <Section title="Transcript">
      <div ref={list} className="relative max-h-96 space-y-0.5 overflow-y-auto">
        {segments.length === 0 ? (
          <p className="break-words whitespace-pre-line">{transcript}</p>
        ) : (
          segments.map(({ startSeconds, text }, index) => (
            <button
              key={startSeconds}
              type="button"
              onClick={() => onSeek(startSeconds)}
              className={cn(
                'flex w-full gap-3 rounded-md px-2 py-1 text-left hover:bg-hover',
                index === spoken && 'bg-accent-soft',
              )}
            >
              <span className="shrink-0 text-sm text-muted tabular-nums">{clock(startSeconds)}</span>
              <span className="min-w-0 break-words">{text}</span>
            </button>
          ))
        )}
      </div>
    </Section>
  );
}
