import { EncodedPacket } from 'mediabunny';

/** The silent Opus frame of 20 ms that voice services send (RFC 7587). */
const OPUS_SILENCE = { bytes: Uint8Array.of(0xf8, 0xff, 0xfe), seconds: 0.02 };
/** Samples of an AAC-LC packet (ISO/IEC 14496-3, section 4.5.2.1). */
const AAC_SAMPLES = 1_024;
/**
 * Silent AAC-LC packets by number of channels, for any sample rate. hls.js fills gaps with the same
 * bytes.
 */
const AAC_SILENCE: Partial<Record<number, Uint8Array>> = {
  1: Uint8Array.of(0x00, 0xc8, 0x00, 0x80, 0x23, 0x80),
  2: Uint8Array.of(0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80),
};

export interface SilentPacket {
  bytes: Uint8Array;
  seconds: number;
}

/** Returns the packet that fills gaps in sound of this format; null for formats without one. */
export function silentPacketOf({ codec, config }: { codec: string; config: AudioDecoderConfig }): SilentPacket | null {
  if (codec === 'opus') return OPUS_SILENCE;
  const bytes = config.codec === 'mp4a.40.2' ? AAC_SILENCE[config.numberOfChannels] : undefined;
  return bytes ? { bytes, seconds: AAC_SAMPLES / config.sampleRate } : null;
}

/** Yields `count` silent packets from `startSeconds`. */
export function* silence(
  packet: SilentPacket,
  { startSeconds, count }: { startSeconds: number; count: number },
): Generator<EncodedPacket> {
  for (let nth = 0; nth < count; nth += 1)
    yield new EncodedPacket(packet.bytes, 'key', startSeconds + nth * packet.seconds, packet.seconds);
}
