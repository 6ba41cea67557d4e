import type { EncodedPacket } from 'mediabunny';
import { UnreadableRecording } from '#server/ports/recordings.ts';

export interface PartLimits {
  mostBytes: number;
  mostSeconds: number;
}

/** What the tables of any of our containers take for a packet, and what stands around them. */
const PACKET_TABLE_BYTES = 32;
const HEADER_BYTES = 16 * 1024;
/** Packets of real sound last 2.5 ms or more (Opus, RFC 6716, section 2.1.4); only damage makes so many in twenty minutes. */
const MOST_PACKETS = 1_000_000;
const LONGEST_PACKET_SECONDS = 0.2;

/** Where a part ends: from the times and sizes of packets alone, so that it ends there every time. */
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

  /** The first packet always fits: a part without one would never get anywhere. */
  fits(packet: EncodedPacket): boolean {
    if (this.#packets === 0) return true;
    return (
      packet.timestamp + packet.duration - this.startSeconds <= this.#limits.mostSeconds &&
      this.#bytes + bytesOf(packet) <= this.#limits.mostBytes
    );
  }

  /** @throws UnreadableRecording for packets that no recording has */
  add(packet: EncodedPacket): void {
    this.#bytes += bytesOf(packet);
    this.#packets += 1;
    this.endSeconds = Math.max(this.endSeconds, packet.timestamp + packet.duration);
    if (this.#bytes > this.#limits.mostBytes || this.#packets > MOST_PACKETS)
      throw new UnreadableRecording('The sound of this recording is damaged.');
  }

  /** `next` begins the next part; null at the end. Matroska files often do not say how long the last packet of a cluster is. */
  end(next: EncodedPacket | null): void {
    if (next)
      this.endSeconds = Math.max(this.endSeconds, Math.min(next.timestamp, this.endSeconds + LONGEST_PACKET_SECONDS));
  }
}

const bytesOf = ({ byteLength }: EncodedPacket) => byteLength + PACKET_TABLE_BYTES;
