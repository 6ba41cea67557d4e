import { EncodedPacketSink, type Input, type InputAudioTrack } from 'mediabunny';
import { UnreadableRecording } from '#server/ports/recordings.ts';

/**
 * Returns the track that a player would play, else the first one with sound, else null.
 * @throws UnreadableRecording for a file without anything to play
 */
export async function soundTrackOf(input: Input): Promise<InputAudioTrack | null> {
  if (!(await input.canRead()))
    throw new UnreadableRecording("This file isn't a supported recording: mp4, mov, webm or mkv.");
  if ((await input.getTracks()).length === 0)
    throw new UnreadableRecording('This recording is incomplete: it has neither video nor sound.');
  const primary = await input.getPrimaryAudioTrack();
  const others = await input.getAudioTracks();
  for (const track of primary ? [primary, ...others] : others)
    if (await new EncodedPacketSink(track).getFirstPacket({ metadataOnly: true })) return track;
  return null;
}
