import { useState } from 'react';
import type { TranscriptSegment } from '#contracts/transcripts.ts';

/** The segments that hold what is searched for, and which of them one stands at. */
export function useTranscriptSearch(segments: readonly TranscriptSegment[]) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const term = typed.trim();
  const hits = term === '' ? [] : indexesWith(segments, term);
  return {
    typed,
    /** What is searched for; empty while nothing is. */
    term,
    /** Which of the matches, from 0. */
    at,
    count: hits.length,
    /** The index of the segment one stands at; undefined without a match. */
    hit: hits[at],
    type: (value: string) => {
      setTyped(value);
      setAt(0);
    },
    /** After the last match comes the first. */
    turn: (by: 1 | -1) => {
      if (hits.length > 0) setAt((at + by + hits.length) % hits.length);
    },
  };
}

export type TranscriptSearch = ReturnType<typeof useTranscriptSearch>;

function indexesWith(segments: readonly TranscriptSegment[], term: string): number[] {
  const wanted = term.toLowerCase();
  return segments.flatMap(({ text }, index) => (text.toLowerCase().includes(wanted) ? [index] : []));
}
