/**
 * Returns where each answer starts in the whole interview: its start in the joined recording, or
 * the end of the answer before it.
 */
export function answerStarts(answers: readonly { startSeconds: number | null; durationSeconds: number }[]): number[] {
  let end = 0;
  return answers.map(({ startSeconds, durationSeconds }, index) => {
    // Durations of services are rounded, so an answer may seem to end after the next one starts.
    const next = answers.slice(index).find((answer) => answer.startSeconds !== null)?.startSeconds;
    const start = startSeconds ?? Math.min(end, next ?? end);
    end = start + durationSeconds;
    return start;
  });
}
