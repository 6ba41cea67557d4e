import type { RequestFaults } from '#sandbox/faults/fault-list.ts';
import type { SpokenSegment, SpokenWord } from './spoken-segments.ts';
import type { TranscriptionForm } from './transcription-form.ts';

/** Returns the response in the requested format; plain text for `text`. */
export function transcriptionResponse(
  spoken: readonly SpokenSegment[],
  { format, granularities }: TranscriptionForm,
  faults: RequestFaults,
): string | object {
  const text = spoken.map((segment) => segment.text).join(' ');
  if (faults.take('broken-transcript')) return `{"text": ${JSON.stringify(text)}, "segm`;
  const wrong = faults.take('wrong-transcript');
  if (wrong) return (wrong.body ?? {}) as object;
  if (format === 'text') return text;
  if (format === 'json') return { text, usage: { type: 'duration', seconds: 0 } };
  const whole = { task: 'transcribe', language: 'english', duration: spoken.at(-1)?.end ?? 0, text };
  if (faults.take('words-in-segments'))
    return { ...whole, segments: spoken.map((segment, id) => ({ id, text: segment.text, words: segment.words })) };
  if (faults.take('words-only')) return { ...whole, words: spoken.flatMap(bareWords) };
  return {
    ...whole,
    ...(granularities.includes('word') && { words: spoken.flatMap(bareWords) }),
    ...((granularities.length === 0 || granularities.includes('segment')) && { segments: spoken.map(segmentOf) }),
  };
}

/** A segment with all fields that the real service returns. */
const segmentOf = ({ start, end, text }: SpokenSegment, id: number) => ({
  id,
  seek: 0,
  start,
  end,
  text: ` ${text}`,
  tokens: [],
  temperature: 0,
  avg_logprob: -0.1,
  compression_ratio: 1.5,
  no_speech_prob: 0.01,
});

/** The real service returns words without punctuation. */
const bareWords = ({ words }: SpokenSegment): SpokenWord[] =>
  words.map(({ word, ...times }) => ({ word: word.replace(/[^\p{L}\p{N}'-]/gu, ''), ...times }));
