import { answerStarts } from '#contracts/rules/answer-starts.ts';
import type { StoredSegment } from '#server/features/interviews/segments/segments.service.ts';
import type { SourceInterview } from '#server/ports/interview-source.ts';
import type { TranscribedPart } from './transcript/bound-transcript.ts';

/** An answer, and where it starts in the whole interview. */
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

/** True for an answer whose words are only in its recording. */
export const needsTranscription = (answer: StoredSegment): boolean =>
  isRecorded(answer) && answer.transcript === null && answer.answer_text === null;

/** The answers with the transcripts that the interview service has now. */
export function withSupplied(answers: readonly StoredSegment[], found: SourceInterview | null): StoredSegment[] {
  const supplied = new Map(found?.segments.map(({ id, transcript }) => [id, transcript]));
  return answers.map((answer) => ({ ...answer, transcript: supplied.get(answer.source_id) ?? answer.transcript }));
}

/**
 * What is known of an answer without its recording. An answer that was not filmed names its
 * question.
 */
export function knownPart({ answer, startSeconds }: PlacedAnswer): TranscribedPart {
  const { transcript, answer_text: written, question, duration_seconds: endSeconds } = answer;
  if (transcript && transcript.segments.length > 0 && isRecorded(answer))
    return { startSeconds, segments: transcript.segments };
  const spoken = written ?? transcript?.text ?? '';
  const text = isRecorded(answer) || !question || spoken.trim() === '' ? spoken : `${question} ${spoken}`;
  return { startSeconds, segments: [{ startSeconds: 0, endSeconds, text }] };
}
