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

/**
 * Yields the sound in parts. Parts before `from` are only measured. Ends for any file: packets
 * cannot contain more bytes than the file, and PartCut limits the packets of a part.
 * @throws UnreadableRecording
 */
export async function* cutParts(file: MediaFile, from: number, limits: PartLimits): AsyncGenerator<AudioPart, null> {
  const track = await soundTrackOf(file.input);
  if (!track) return null;
  const container = await containerFor(track);
  const decoderConfig = await track.getDecoderConfig();
  if (!decoderConfig) throw new UnreadableRecording('The sound of this recording is damaged.');
  const packets = new Packets(track, file);
  for (let index = 0; ; index += 1) {
    const isSkipped = index < from;
    // A packet whose bytes are missing from the file ends the sound.
    const first = await packets.peek({ metadataOnly: isSkipped });
    if (!first) return null;
    const writer = isSkipped ? null : new PartWriter(container, decoderConfig, first.timestamp);
    await writer?.start();
    const cut = await readPart(packets, new PartCut(first, limits), writer);
    const durationSeconds = cut.endSeconds - cut.startSeconds;
    const isLast = (await packets.peek({ metadataOnly: true })) === null;
    if (isLast && durationSeconds < MIN_SECONDS) return null;
    if (!writer) continue;
    yield {
      index,
      // Sound may begin a few milliseconds before 0: encoder padding that players skip.
      startSeconds: Math.max(0, cut.startSeconds),
      durationSeconds,
      bytes: await writer.finish(),
      fileName: `part-${index + 1}.${container.extension}`,
      contentType: container.contentType,
    };
  }
}

/** Reads the packets of a part and passes them to the writer. Without one, reads no sound. */
async function readPart(packets: Packets, cut: PartCut, writer: PartWriter | null): Promise<PartCut> {
  const options = { metadataOnly: writer === null };
  let packet = await packets.peek(options);
  while (packet && cut.fits(packet)) {
    cut.add(packet);
    await writer?.add(packet);
    packets.consume(packet);
    packet = await packets.peek(options);
  }
  cut.end(packet);
  return cut;
}

/** The packets of a track in order. A packet stays the next one until it is taken. */
class Packets {
  readonly #sink: EncodedPacketSink;
  readonly #file: MediaFile;
  #last: EncodedPacket | null = null;
  #bytes = 0;

  constructor(track: InputAudioTrack, file: MediaFile) {
    this.#sink = new EncodedPacketSink(track);
    this.#file = file;
  }

  peek(options: { metadataOnly: boolean }): Promise<EncodedPacket | null> {
    return this.#last ? this.#sink.getNextPacket(this.#last, options) : this.#sink.getFirstPacket(options);
  }

  consume(packet: EncodedPacket): void {
    this.#last = packet;
    this.#bytes += packet.byteLength;
    if (this.#bytes > this.#file.size) throw new UnreadableRecording('The sound of this recording is damaged.');
    this.#file.reportProgress();
  }
}
