import type { Input, InputAudioTrack, InputVideoTrack } from 'mediabunny';
import type { MediaFile } from '#server/adapters/media-thread/serve-files.ts';
import { soundTrackOf } from '#server/adapters/recordings-mediabunny/sound-track.ts';

/** The recordings cannot share one file. The message is for users. */
export class DifferentRecordings extends Error {
  override name = 'DifferentRecordings';
}

/** A recording to join: the tracks that a player would play. */
export interface JoinInput {
  input: Input;
  video: InputVideoTrack | null;
  audio: InputAudioTrack | null;
}

/**
 * Opens the recordings that `file` contains one after another.
 * @throws UnreadableRecording
 */
export async function openInputs(file: MediaFile, sizes: readonly number[]): Promise<JoinInput[]> {
  const inputs: JoinInput[] = [];
  let start = 0;
  for (const size of sizes) {
    const input = file.openPart(start, size);
    const audio = await soundTrackOf(input);
    inputs.push({ input, audio, video: await input.getPrimaryVideoTrack() });
    start += size;
  }
  return inputs;
}
