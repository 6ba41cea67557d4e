import type { EncodedPacket } from 'mediabunny';
import { UnreadableRecording } from '#server/ports/recordings.ts';

export interface PartLimits {
  maxBytes: number;
  maxSeconds: number;
}

/** Table entry and framing per packet, an upper bound for all our containers. */
const PACKET_TABLE_BYTES = 32;
const HEADER_BYTES = 16 * 1024;
/**
 * Real packets last at least 2.5 ms (Opus, RFC 6716, section 2.1.4); only damage produces this many
 * in twenty minutes.
 */
const MAX_PACKETS = 1_000_000;
const MAX_PACKET_SECONDS = 0.2;

/**
 * Decides where a part ends from times and sizes of packets only, so every run cuts at the same
 * places.
 */
export class PartCut {
  readonly startSeconds: number;
  endSeconds: number;
  #bytes = HEADER_BYTES;
  #packets = 0;
  readonly #limits: PartLimits;

  constructor(first: EncodedPacket, limits: PartLimits) {
    this.#limits = limits;
    this.startSeconds = first.timestamp;
    this.endSeconds = first.timestamp;
  }

  /** The first packet always fits; a part without packets would make no progress. */
  fits(packet: EncodedPacket): boolean {
    if (this.#packets === 0) return true;
    return (
      packet.timestamp + packet.duration - this.startSeconds <= this.#limits.maxSeconds &&
      this.#bytes + bytesOf(packet) <= this.#limits.maxBytes
    );
  }

  /** @throws UnreadableRecording for packets that no recording has */
  add(packet: EncodedPacket): void {
    this.#bytes += bytesOf(packet);
    this.#packets += 1;
    this.endSeconds = Math.max(this.endSeconds, packet.timestamp + packet.duration);
    if (this.#bytes > this.#limits.maxBytes || this.#packets > MAX_PACKETS)
      throw new UnreadableRecording('The sound of this recording is damaged.');
  }

  /**
   * `next` begins the next part; null at the end. Matroska files often omit the duration of the
   * last packet of a cluster.
   */
  end(next: EncodedPacket | null): void {
    if (next)
      this.endSeconds = Math.max(this.endSeconds, Math.min(next.timestamp, this.endSeconds + MAX_PACKET_SECONDS));
  }
}

const bytesOf = ({ byteLength }: EncodedPacket) => byteLength + PACKET_TABLE_BYTES;
