import { EncodedPacket, EncodedPacketSink, type InputTrack } from 'mediabunny';
import { UnreadableRecording } from '#server/ports/recordings.ts';
import type { JoinPlan, SegmentPlan } from './plan-join.ts';
import { silence } from './silence.ts';

interface JoinedPacket {
  kind: 'video' | 'audio';
  packet: EncodedPacket;
}

interface PacketOptions {
  /** True yields zeros instead of the bytes of packets, so that the bytes are not read. */
  isDry: boolean;
}

/**
 * Yields the packets of all recordings with their times in the joined file. Picture and sound
 * alternate, so that neither has to be kept in memory.
 */
export async function* joinedPackets(plan: JoinPlan, options: PacketOptions): AsyncGenerator<JoinedPacket> {
  for (const segment of plan.segments)
    yield* inTurns(videoPackets(segment, options), audioPackets(plan, segment, options));
}

async function* inTurns(
  video: AsyncGenerator<EncodedPacket>,
  audio: AsyncGenerator<EncodedPacket>,
): AsyncGenerator<JoinedPacket> {
  let [picture, sound] = [await video.next(), await audio.next()];
  while (!picture.done || !sound.done) {
    if (!picture.done && (sound.done || picture.value.timestamp <= sound.value.timestamp)) {
      yield { kind: 'video', packet: picture.value };
      picture = await video.next();
    } else if (!sound.done) {
      yield { kind: 'audio', packet: sound.value };
      sound = await audio.next();
    }
  }
}

async function* videoPackets({ video, videoShift }: SegmentPlan, options: PacketOptions) {
  if (!video) return;
  for await (const packet of packetsOf(video, options))
    yield packet.clone({ timestamp: packet.timestamp + videoShift });
}

async function* audioPackets(
  { silentPacket }: JoinPlan,
  { audio, audioShift, soundFromSeconds, silences }: SegmentPlan,
  options: PacketOptions,
): AsyncGenerator<EncodedPacket> {
  const pauses = silentPacket ? silences.map((pause) => silence(silentPacket, pause)) : [];
  const first = soundFromSeconds + audioShift;
  const isBefore = (index: number) => audio !== null && (silences[index]?.startSeconds ?? 0) < first;
  for (const [index, pause] of pauses.entries()) if (isBefore(index)) yield* pause;
  if (audio)
    for await (const packet of packetsOf(audio, options))
      if (packet.timestamp >= soundFromSeconds) yield packet.clone({ timestamp: packet.timestamp + audioShift });
  for (const [index, pause] of pauses.entries()) if (!isBefore(index)) yield* pause;
}

/** Shared by all dry packets. */
let zeros = new Uint8Array(1 << 20);

async function* packetsOf(track: InputTrack, { isDry }: PacketOptions): AsyncGenerator<EncodedPacket> {
  const sink = new EncodedPacketSink(track);
  for await (const packet of sink.packets(undefined, undefined, { metadataOnly: isDry })) {
    if (!isDry) yield packet;
    else yield new EncodedPacket(zerosOf(packet.byteLength), packet.type, packet.timestamp, packet.duration);
  }
}

/** The packets of real recordings are smaller. */
const MAX_PACKET_BYTES = 64 * 2 ** 20;

function zerosOf(length: number): Uint8Array {
  if (length > MAX_PACKET_BYTES)
    throw new UnreadableRecording('A recording is damaged: it contains an oversized packet.');
  if (length > zeros.length) zeros = new Uint8Array(length);
  return zeros.subarray(0, length);
}
