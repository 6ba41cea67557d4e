import type { InterviewSegment, VideoInfo } from '#contracts/interviews.ts';
import { answerStarts } from '#contracts/rules/answer-starts.ts';

/** One of several recordings that the player plays one after another. */
export interface VideoPart {
  source: string;
  /** From the start of the whole interview. */
  startSeconds: number;
  durationSeconds: number;
}

export const storedVideo = (file: string) => `/api/files/video/${encodeURIComponent(file)}`;

/** The recordings of an interview that are not joined into one. */
export function partsOf({ segments = [] }: Partial<Pick<VideoInfo, 'segments'>>): VideoPart[] {
  const starts = answerStarts(segments);
  return segments.flatMap(({ videoFile, durationSeconds }, index) =>
    videoFile ? [{ source: storedVideo(videoFile), startSeconds: starts[index] ?? 0, durationSeconds }] : [],
  );
}

/** Finds the answer to a question. Undefined when the interview is a single recording. */
export function answerTo(
  { position, question }: { position: number; question: string },
  segments: readonly InterviewSegment[],
): (InterviewSegment & { start: number }) | undefined {
  const starts = answerStarts(segments);
  const answers = segments.map((segment, index) => ({ ...segment, start: starts[index] ?? 0 }));
  return (
    answers.find((answer) => answer.question === question) ?? answers.find((answer) => answer.position === position)
  );
}

export const endOf = (parts: readonly VideoPart[]): number => {
  const last = parts.at(-1);
  return last ? last.startSeconds + last.durationSeconds : 0;
};
