import type { TranscriptSegment } from '#contracts/transcripts.ts';
import type { MediaFile } from '../../media-thread/serve-files.ts';
import { ByteWindow } from './byte-window.ts';
import { readMatroskaCaptions } from './matroska-captions.ts';
import { readMp4Captions } from './mp4-captions.ts';

/** Every Matroska and WebM file begins with it (RFC 8794, section 8.1). */
const EBML_HEADER = 0x1a45dfa3;

/**
 * The cues of a recording's first caption track that says anything; null when there is none. mediabunny writes such tracks but does not
 * read them. mp4box reads those of mp4 files, but keeps an object for each frame of every track, 140 MB for two hours; what reads
 * Matroska's takes in the whole file. Hence the small readers beside this.
 */
export async function readCaptions(file: MediaFile): Promise<TranscriptSegment[] | null> {
  const bytes = new ByteWindow(file);
  const isMatroska = (await bytes.view(0, 4)).getUint32(0) === EBML_HEADER;
  return isMatroska ? readMatroskaCaptions(bytes) : readMp4Captions(bytes);
}
