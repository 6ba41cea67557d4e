import { answerStarts } from '#contracts/rules/answer-starts.ts';
import type { StoredSegment } from '#server/features/interviews/segments/segments.service.ts';
import type { SourceInterview } from '#server/ports/interview-source.ts';
import type { TranscribedPart } from './transcript/bound-transcript.ts';

/** An answer with its start in the whole interview. */
export interface PlacedAnswer {
  answer: StoredSegment;
  startSeconds: number;
}

export function placeAnswers(answers: readonly StoredSegment[]): PlacedAnswer[] {
  const starts = answerStarts(
    answers.map(({ start_seconds: startSeconds, duration_seconds: durationSeconds }) => ({
      startSeconds,
      durationSeconds,
    })),
  );
  return answers.map((answer, index) => ({ answer, startSeconds: starts[index] ?? 0 }));
}

const isRecorded = ({ video_url, video_file }: StoredSegment) => video_url !== null || video_file !== null;

/** True when only the recording contains the words of the answer. */
export const needsTranscription = (answer: StoredSegment): boolean =>
  isRecorded(answer) && answer.transcript === null && answer.answer_text === null;

/** Adds the transcripts that the interview service has now. */
export function withSupplied(answers: readonly StoredSegment[], found: SourceInterview | null): StoredSegment[] {
  const supplied = new Map(found?.segments.map(({ id, transcript }) => [id, transcript]));
  return answers.map((answer) => ({ ...answer, transcript: supplied.get(answer.source_id) ?? answer.transcript }));
}

/**
 * Returns the text of an answer that needs no transcription. The text of an answer that was not
 * filmed begins with its question.
 */
export function knownPart({ answer, startSeconds }: PlacedAnswer): TranscribedPart {
  const { transcript, answer_text: written, question, duration_seconds: endSeconds } = answer;
  if (transcript && transcript.segments.length > 0 && isRecorded(answer))
    return { startSeconds, segments: transcript.segments };
  const spoken = written ?? transcript?.text ?? '';
  const text = isRecorded(answer) || !question || spoken.trim() === '' ? spoken : `${question} ${spoken}`;
  return { startSeconds, segments: [{ startSeconds: 0, endSeconds, text }] };
}
