import { type FileSource, MODIFIED_AT, viewsOf } from './file-source.ts';
import { freeBox, smallestRecording } from './generated-video.ts';

/**
 * The harmless test file that every scanner reports as a virus
 * (https://www.eicar.org/download-anti-malware-testfile/). Split in two, so that scanners do
 * not report this source file.
 */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

/** A playable mp4 with the test virus in a box after the recording. */
export function infectedVideo(name: string): FileSource {
  const recording = smallestRecording();
  const head = recording ? [...recording.chunks(0, recording.size)] : [];
  const bytes = Buffer.concat([...head, freeBox(8 + EICAR.length), Buffer.from(EICAR, 'latin1')]);
  return {
    size: bytes.length,
    contentType: 'video/mp4',
    etag: `"${name}-infected"`,
    modifiedAt: MODIFIED_AT,
    chunks: (start, end) => viewsOf(bytes, start, end),
  };
}
