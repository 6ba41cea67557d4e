import type { FaultList, FaultSubject } from '#sandbox/faults/fault-list.ts';
import type { HeardSegment, HeardWord } from './heard.ts';
import type { TranscriptionForm } from './transcription-form.ts';

export interface Faulty {
  faults: FaultList;
  subject: FaultSubject;
}

/** Returns the answer in the requested format; plain text for `text`. */
export function answerWith(
  heard: readonly HeardSegment[],
  { format, granularities }: TranscriptionForm,
  { faults, subject }: Faulty,
): string | object {
  const text = heard.map((segment) => segment.text).join(' ');
  if (faults.take(subject, 'broken-transcript')) return `{"text": ${JSON.stringify(text)}, "segm`;
  const wrong = faults.take(subject, 'wrong-transcript');
  if (wrong) return (wrong.body ?? {}) as object;
  if (format === 'text') return text;
  if (format === 'json') return { text, usage: { type: 'duration', seconds: 0 } };
  const whole = { task: 'transcribe', language: 'english', duration: heard.at(-1)?.end ?? 0, text };
  if (faults.take(subject, 'words-in-segments'))
    return { ...whole, segments: heard.map((segment, id) => ({ id, text: segment.text, words: segment.words })) };
  if (faults.take(subject, 'words-only')) return { ...whole, words: heard.flatMap(bareWords) };
  return {
    ...whole,
    ...(granularities.includes('word') && { words: heard.flatMap(bareWords) }),
    ...((granularities.length === 0 || granularities.includes('segment')) && { segments: heard.map(segmentOf) }),
  };
}

/** With all fields that the real service returns for a segment. */
const segmentOf = ({ start, end, text }: HeardSegment, id: number) => ({
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
const bareWords = ({ words }: HeardSegment): HeardWord[] =>
  words.map(({ word, ...times }) => ({ word: word.replace(/[^\p{L}\p{N}'-]/gu, ''), ...times }));
