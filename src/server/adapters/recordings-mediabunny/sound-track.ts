import { EncodedPacketSink, type Input, type InputAudioTrack } from 'mediabunny';
import { UnreadableRecording } from '#server/ports/recordings.ts';

/**
 * The track that a player would play, or else the first that has any sound in it; null when none has.
 * @throws UnreadableRecording for a file in which there is nothing at all to play
 */
export async function soundTrackOf(input: Input): Promise<InputAudioTrack | null> {
  if (!(await input.canRead()))
    throw new UnreadableRecording('This file is no recording that can be read: it is neither mp4, mov, webm nor mkv.');
  if ((await input.getTracks()).length === 0)
    throw new UnreadableRecording('This recording is incomplete: neither pictures nor sound are in it.');
  const primary = await input.getPrimaryAudioTrack();
  const others = await input.getAudioTracks();
  for (const track of primary ? [primary, ...others] : others)
    if (await new EncodedPacketSink(track).getFirstPacket({ metadataOnly: true })) return track;
  return null;
}
