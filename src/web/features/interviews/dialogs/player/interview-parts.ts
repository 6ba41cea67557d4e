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

/** The URLs of the whole video, the best one first. */
export const sourcesOf = ({ hasLocalCopy, videoFile, videoUrl }: VideoInfo): string[] =>
  [hasLocalCopy && videoFile ? storedVideo(videoFile) : null, videoUrl || null].filter((source) => source !== null);

/** The recordings of an interview that are not joined into one. */
export function partsOf({ segments = [] }: Partial<Pick<VideoInfo, 'segments'>>): VideoPart[] {
  const starts = answerStarts(segments);
  return segments.flatMap(({ videoFile, durationSeconds }, index) =>
    videoFile ? [{ source: storedVideo(videoFile), startSeconds: starts[index] ?? 0, durationSeconds }] : [],
  );
}

/** The URL that the player loads first. */
export const firstSource = (video: VideoInfo): string | undefined => sourcesOf(video)[0] ?? partsOf(video)[0]?.source;

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
