import { createHash } from 'node:crypto';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';

/** A packet of encoded sound, identified by its content. */
export interface SoundPacket {
  print: string;
  startSeconds: number;
  endSeconds: number;
}

/**
 * Reads the sound of a file packet by packet; empty if it has none. Rejects for a file that is not
 * media.
 */
export async function soundPackets(bytes: Uint8Array): Promise<SoundPacket[]> {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const track = await input.getPrimaryAudioTrack();
  if (!track) return [];
  const packets: SoundPacket[] = [];
  for await (const { data, timestamp, duration } of new EncodedPacketSink(track).packets())
    packets.push({ print: printOf(data), startSeconds: timestamp, endSeconds: timestamp + duration });
  return packets;
}

const printOf = (data: Uint8Array) => createHash('sha1').update(data).digest('base64');
