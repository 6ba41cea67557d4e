import type { KnownSound, Place } from './known-sound.ts';
import type { SoundPacket } from './sound-packets.ts';

/**
 * A stretch of the sound that matches a stretch of a recording. `offsetSeconds` is its time in the
 * sound minus its time in the recording.
 */
export interface Stretch {
  id: string;
  offsetSeconds: number;
  fromSeconds: number;
  toSeconds: number;
}

/** Containers round times to about a millisecond. */
const SAME_SECONDS = 0.05;
const KNOWN_SHARE = 0.5;

/**
 * Finds the recordings that the sound was cut from. Returns null when most of it is unknown.
 * Packets that occur once identify the position; the others (silence) belong to the stretch before
 * them.
 */
export function recognize(packets: readonly SoundPacket[], known: KnownSound): Stretch[] | null {
  const places = packets.map(({ print }) => known.get(print) ?? []);
  if (places.filter(({ length }) => length > 0).length < packets.length * KNOWN_SHARE) return null;
  const stretches: Stretch[] = [];
  for (const [nth, packet] of packets.entries()) {
    const [place, ...others] = places[nth] ?? [];
    const last = stretches.at(-1);
    if (place && others.length === 0 && !(last && continues(last, place, packet))) {
      if (last) last.toSeconds = packet.startSeconds;
      stretches.push({
        id: place.id,
        offsetSeconds: packet.startSeconds - place.startSeconds,
        fromSeconds: last ? packet.startSeconds : 0,
        toSeconds: Number.POSITIVE_INFINITY,
      });
    }
  }
  return stretches;
}

const continues = (last: Stretch, place: Place, packet: SoundPacket) =>
  last.id === place.id && Math.abs(packet.startSeconds - place.startSeconds - last.offsetSeconds) < SAME_SECONDS;
