import type { TranscriptSegment } from '#contracts/transcripts.ts';

/**
 * The sentences of a text whose times nobody told, as if everything was said at the same pace. The longer the part, the rougher, but
 * better than a caption of twenty minutes.
 */
export function spreadText(text: string, durationSeconds: number): TranscriptSegment[] {
  const sentences = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)]
    .map(({ segment }) => segment.trim())
    .filter(Boolean);
  const characters = sentences.reduce((sum, { length }) => sum + length, 0);
  let said = 0;
  return sentences.map((sentence) => {
    const startSeconds = (said / characters) * durationSeconds;
    said += sentence.length;
    return { startSeconds, endSeconds: (said / characters) * durationSeconds, text: sentence };
  });
}
