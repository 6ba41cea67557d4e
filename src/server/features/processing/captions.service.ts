import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { toVtt } from './transcript/caption-files.ts';

/** WebVTT captions of a transcript that is not the stored one. */
export const captionsOf = (segments: readonly TranscriptSegment[]): string => toVtt(segments);
