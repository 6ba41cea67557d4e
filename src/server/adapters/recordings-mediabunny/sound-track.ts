import { EncodedPacketSink, type Input, type InputAudioTrack } from 'mediabunny';

/** The track that a player would play, or else the first that has any sound in it; null when none has. */
export async function soundTrackOf(input: Input): Promise<InputAudioTrack | null> {
  const primary = await input.getPrimaryAudioTrack();
  const others = await input.getAudioTracks();
  for (const track of primary ? [primary, ...others] : others)
    if (await new EncodedPacketSink(track).getFirstPacket({ metadataOnly: true })) return track;
  return null;
}
