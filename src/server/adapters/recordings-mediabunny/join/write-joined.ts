import {
  EncodedAudioPacketSource,
  EncodedVideoPacketSource,
  Output,
  StreamTarget,
  type StreamTargetChunk,
} from 'mediabunny';
import { UnreadableRecording } from '#server/ports/recordings.ts';
import type { JoinFormat } from './join-format.ts';
import { joinedPackets } from './joined-packets.ts';
import { Overwrites } from './overwrites.ts';
import type { JoinPlan } from './plan-join.ts';

interface JoinToWrite {
  format: JoinFormat;
  plan: JoinPlan;
  reportProgress: () => void;
}

const CHUNK_BYTES = 2 ** 20;

/**
 * Yields the bytes of the joined file in order. The tables at its start are complete only after the
 * last packet, but stores can only append. So the file is written twice: first with zeros instead
 * of pictures and sound, to compute the tables, then completely, with the tables in their place.
 */
export async function* writeJoined(join: JoinToWrite): AsyncGenerator<Uint8Array<ArrayBuffer>, null> {
  const overwrites = new Overwrites();
  const recorder = new WritableStream<StreamTargetChunk>({ write: (chunk) => overwrites.record(chunk) });
  await writeFile(join, recorder, { isDry: true });

  const { readable, writable } = new TransformStream<StreamTargetChunk, StreamTargetChunk>();
  const written = writeFile(join, writable, { isDry: false });
  // Awaited below. A failure must also end the loop that reads.
  written.catch((error: unknown) => writable.abort(error).catch(() => {}));
  let size = 0;
  let yielded = 0;
  let pieces: Uint8Array[] = [];
  for await (const chunk of readable) {
    const bytes = overwrites.append(chunk, size);
    pieces.push(bytes);
    size += bytes.length;
    if (size - yielded < CHUNK_BYTES) continue;
    yield joinPieces(pieces);
    yielded = size;
    pieces = [];
  }
  await written;
  if (size !== overwrites.size) throw new UnreadableRecording('A recording is damaged: it differs when read again.');
  if (size > yielded) yield joinPieces(pieces);
  return null;
}

/** Copies into one buffer, which can be transferred. */
const joinPieces = (pieces: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(pieces));

async function writeFile(
  { format, plan, reportProgress }: JoinToWrite,
  writable: WritableStream<StreamTargetChunk>,
  options: { isDry: boolean },
): Promise<void> {
  const { video, audio } = format;
  const output = new Output({ format: format.newOutputFormat(), target: new StreamTarget(writable) });
  const sources = {
    video: video && new EncodedVideoPacketSource(video.codec),
    audio: audio && new EncodedAudioPacketSource(audio.codec),
  };
  const { packetCounts } = plan;
  if (video && sources.video)
    output.addVideoTrack(sources.video, { rotation: video.rotation, maximumPacketCount: packetCounts.video });
  if (sources.audio) output.addAudioTrack(sources.audio, { maximumPacketCount: packetCounts.audio });
  await output.start();
  for await (const { kind, packet } of joinedPackets(plan, options)) {
    if (kind === 'video' && video) await sources.video?.add(packet, { decoderConfig: video.config });
    if (kind === 'audio' && audio) await sources.audio?.add(packet, { decoderConfig: audio.config });
    reportProgress();
  }
  await output.finalize();
}
