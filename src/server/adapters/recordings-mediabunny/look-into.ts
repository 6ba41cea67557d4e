import type { Input } from 'mediabunny';
import { LONGEST_SECONDS } from '#contracts/rules/limits.ts';
import type { RecordingContent } from '#server/ports/recordings.ts';
import type { MediaFile } from '../media-thread/serve-files.ts';
import { readCaptions } from './captions/read-captions.ts';
import { soundTrackOf } from './sound-track.ts';

/** @throws UnreadableRecording */
export async function lookInto(file: MediaFile): Promise<RecordingContent> {
  return {
    hasSound: (await soundTrackOf(file.input)) !== null,
    // Captions that cannot be read are as good as none: the words can still be had from the sound.
    captions: await readCaptions(file).catch(() => null),
    durationSeconds: await durationOf(file.input),
  };
}

async function durationOf(input: Input): Promise<number | null> {
  const seconds = (await input.getDurationFromMetadata()) || (await input.computeDuration());
  return seconds > 0 && seconds <= LONGEST_SECONDS ? seconds : null;
}
