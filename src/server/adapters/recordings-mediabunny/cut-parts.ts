import { type EncodedPacket, EncodedPacketSink, type InputAudioTrack } from 'mediabunny';
import type { MediaFile } from '#server/adapters/media-thread/serve-files.ts';
import { type AudioPart, UnreadableRecording } from '#server/ports/recordings.ts';
import { PartCut, type PartLimits } from './part-cut.ts';
import { PartWriter } from './part-writer.ts';
import { containerFor } from './sound-container.ts';
import { soundTrackOf } from './sound-track.ts';

/**
 * Services refuse shorter sound (OpenAI: "Minimum audio length is 0.1 seconds"), and it contains no
 * word.
 */
const MIN_SECONDS = 0.1;
/** Packets between two signs of progress. */
const PROGRESS_PACKETS = 2_000;

/**
 * Yields the sound in parts. Parts before `from` are only measured. Ends for any file: packets
 * cannot contain more bytes than the file, and PartCut limits the packets of a part.
 * @throws UnreadableRecording
 */
export async function* cutParts(file: MediaFile, from: number, limits: PartLimits): AsyncGenerator<AudioPart, null> {
  const track = await soundTrackOf(file.input);
  if (!track) return null;
  const packets = new Packets(track, file);
  const make = await partMaker(track);
  for (let index = 0; ; index += 1) {
    const part = await (index < from ? measure(packets, limits) : make(packets, limits, index));
    if (!part) return null;
    const isLast = (await packets.peek({ metadataOnly: true })) === null;
    if (isLast && part.durationSeconds < MIN_SECONDS) return null;
    if (index >= from) yield part as AudioPart;
  }
}

/** Skips a part without reading its sound. Returns null at the end. */
async function measure(packets: Packets, limits: PartLimits): Promise<{ durationSeconds: number } | null> {
  const first = await packets.peek({ metadataOnly: true });
  if (!first) return null;
  const cut = new PartCut(first, limits);
  let packet: EncodedPacket | null = first;
  while (packet && cut.fits(packet)) {
    cut.add(packet);
    packets.consume(packet);
    packet = await packets.peek({ metadataOnly: true });
  }
  cut.end(packet);
  return { durationSeconds: cut.endSeconds - cut.startSeconds };
}

async function partMaker(track: InputAudioTrack) {
  const container = await containerFor(track);
  const decoderConfig = await track.getDecoderConfig();
  if (!decoderConfig) throw new UnreadableRecording('The sound of this recording is damaged.');
  return async (packets: Packets, limits: PartLimits, index: number): Promise<AudioPart | null> => {
    const first = await packets.peek();
    if (!first) return null;
    const cut = new PartCut(first, limits);
    const writer = await PartWriter.start(container, decoderConfig, first.timestamp);
    let packet: EncodedPacket | null = first;
    while (packet && cut.fits(packet)) {
      cut.add(packet);
      await writer.add(packet);
      packets.consume(packet);
      packet = await packets.peek();
    }
    cut.end(packet);
    return {
      index,
      // Sound may begin a few milliseconds before 0: encoder padding that players skip.
      startSeconds: Math.max(0, cut.startSeconds),
      durationSeconds: cut.endSeconds - cut.startSeconds,
      bytes: await writer.finish(),
      fileName: `part-${index + 1}.${container.extension}`,
      contentType: container.contentType,
    };
  };
}

/** The packets of a track in order. A packet stays the next one until it is taken. */
class Packets {
  readonly #sink: EncodedPacketSink;
  readonly #file: MediaFile;
  #last: EncodedPacket | null = null;
  #bytes = 0;
  #consumedCount = 0;

  constructor(track: InputAudioTrack, file: MediaFile) {
    this.#sink = new EncodedPacketSink(track);
    this.#file = file;
  }

  peek(options: { metadataOnly?: boolean } = {}): Promise<EncodedPacket | null> {
    return this.#last ? this.#sink.getNextPacket(this.#last, options) : this.#sink.getFirstPacket(options);
  }

  consume(packet: EncodedPacket): void {
    this.#last = packet;
    this.#consumedCount += 1;
    this.#bytes += packet.byteLength;
    if (this.#bytes > this.#file.size) throw new UnreadableRecording('The sound of this recording is damaged.');
    if (this.#consumedCount % PROGRESS_PACKETS === 0) this.#file.reportProgress();
  }
}
