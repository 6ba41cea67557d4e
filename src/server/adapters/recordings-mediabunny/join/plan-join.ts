import { type EncodedPacket, EncodedPacketSink, type InputTrack } from 'mediabunny';
import { UnreadableRecording } from '#server/ports/recordings.ts';
import type { JoinFormat } from './join-format.ts';
import type { JoinInput } from './join-inputs.ts';
import { type SilentPacket, silentPacketOf } from './silence.ts';

/** Packets of silence in the joined file. */
interface Silence {
  startSeconds: number;
  count: number;
}

/** Where the packets of one recording are in the joined file. */
export interface SegmentPlan extends JoinInput {
  startSeconds: number;
  /**
   * Earlier packets only prepare the decoder. They are left out, because they would overlap with
   * the recording before.
   */
  soundFromSeconds: number;
  /** Added to the times of the recording. */
  videoShift: number;
  audioShift: number;
  silences: Silence[];
}

export interface JoinPlan {
  segments: SegmentPlan[];
  endSeconds: number;
  silentPacket: SilentPacket | null;
  packetCounts: { video: number; audio: number };
}

/** The picture is cut to the end of the sound when it is at most this much longer. */
const MAX_TRIM_SECONDS = 0.1;
/** The shortest time between two pictures. */
const MIN_FRAME_SECONDS = 0.001;

interface Extent {
  count: number;
  firstSeconds: number;
  /** The latest start of a packet, and the latest end of one. */
  lastSeconds: number;
  endSeconds: number;
  packetSeconds: number;
}

/**
 * Decides where each recording begins. Players derive the time from the sound, so the sound has no
 * gap: pauses are filled with silence, and a recording begins where a packet of sound ends.
 * @throws UnreadableRecording
 */
export async function planJoin(
  inputs: readonly JoinInput[],
  format: JoinFormat,
  reportProgress: () => void,
): Promise<JoinPlan> {
  const silentPacket = format.audio && silentPacketOf(format.audio);
  const plan: JoinPlan = { segments: [], endSeconds: 0, silentPacket, packetCounts: { video: 0, audio: 0 } };
  let soundEnd = 0;
  for (const input of inputs) {
    const video = input.video && (await extentOf(input.video, Number.NEGATIVE_INFINITY, reportProgress));
    const origin = Math.max(
      0,
      Math.min(...[video, await firstOf(input.audio)].flatMap((one) => one?.firstSeconds ?? [])),
    );
    const audio = input.audio && (await extentOf(input.audio, origin, reportProgress));
    if (!video && !audio) throw new UnreadableRecording('A recording contains neither picture nor sound.');
    const place = { startSeconds: plan.endSeconds, soundEnd, silentPacket };
    const placed = placeRecording({ input, video, audio, origin }, place);
    plan.segments.push(placed.segment);
    plan.packetCounts.video += video?.count ?? 0;
    plan.packetCounts.audio += (audio?.count ?? 0) + placed.segment.silences.reduce((sum, { count }) => sum + count, 0);
    plan.endSeconds = placed.endSeconds;
    soundEnd = placed.soundEnd;
  }
  return plan;
}

interface MeasuredRecording {
  input: JoinInput;
  video: Extent | null;
  audio: Extent | null;
  origin: number;
}

interface PlaceOptions {
  startSeconds: number;
  soundEnd: number;
  silentPacket: SilentPacket | null;
}

/** Places a recording at `startSeconds`, after sound that ends at `soundEnd`. */
function placeRecording(
  { input, video, audio, origin }: MeasuredRecording,
  { startSeconds, soundEnd, silentPacket }: PlaceOptions,
) {
  const silences: Silence[] = [];
  let sound = soundEnd;
  const fillUntil = (seconds: number) => {
    const count = silentPacket ? Math.round((seconds - sound) / silentPacket.seconds) : 0;
    if (!silentPacket || count <= 0) return;
    silences.push({ startSeconds: sound, count });
    sound += count * silentPacket.seconds;
  };
  const videoShift = startSeconds - origin;
  let audioShift = videoShift;
  if (audio) {
    const wanted = startSeconds + audio.firstSeconds - origin;
    fillUntil(wanted);
    const isAdjacent = wanted - sound < audio.packetSeconds;
    audioShift = (isAdjacent ? sound : wanted) - audio.firstSeconds;
    sound = audio.endSeconds + audioShift;
  }
  const lastPicture = (video?.lastSeconds ?? 0) + videoShift + MIN_FRAME_SECONDS;
  const end = Math.max(sound, (video?.endSeconds ?? 0) + videoShift);
  const canEndWithSound = audio !== null && sound >= lastPicture && end - sound <= MAX_TRIM_SECONDS;
  if (!canEndWithSound) fillUntil(end);
  const endSeconds = canEndWithSound || (silentPacket && sound >= lastPicture) ? sound : end;
  const soundFromSeconds = audio?.firstSeconds ?? 0;
  const segment = { ...input, startSeconds, soundFromSeconds, videoShift, audioShift, silences };
  return { segment, endSeconds, soundEnd: sound };
}

async function firstOf(track: InputTrack | null): Promise<{ firstSeconds: number } | null> {
  const first = track && (await new EncodedPacketSink(track).getFirstPacket({ metadataOnly: true }));
  return first && { firstSeconds: first.timestamp };
}

/** Measures the packets of a track that are mostly after `from`. */
async function extentOf(track: InputTrack, from: number, reportProgress: () => void): Promise<Extent | null> {
  let extent: Extent | null = null;
  for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true })) {
    if (packet.timestamp + packet.duration / 2 < from) continue;
    extent ??= newExtent(packet);
    extent.count += 1;
    extent.firstSeconds = Math.min(extent.firstSeconds, packet.timestamp);
    extent.lastSeconds = Math.max(extent.lastSeconds, packet.timestamp);
    // The file may contain a shorter duration for the last packet, or none. Players play all of it.
    const seconds = Math.max(packet.duration, extent.packetSeconds);
    extent.endSeconds = Math.max(extent.endSeconds, packet.timestamp + seconds);
    reportProgress();
  }
  return extent;
}

const newExtent = ({ timestamp, duration }: EncodedPacket): Extent => ({
  count: 0,
  firstSeconds: timestamp,
  lastSeconds: timestamp,
  endSeconds: timestamp,
  packetSeconds: duration,
});
