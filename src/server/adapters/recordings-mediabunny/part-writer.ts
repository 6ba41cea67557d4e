import { BufferTarget, EncodedAudioPacketSource, type EncodedPacket, Output } from 'mediabunny';
import type { SoundContainer } from './sound-container.ts';

/** Writes the packets of one part into a file in memory. */
export class PartWriter {
  readonly #target = new BufferTarget();
  readonly #output: Output;
  readonly #source: EncodedAudioPacketSource;
  readonly #container: SoundContainer;
  readonly #decoderConfig: AudioDecoderConfig;
  readonly #startSeconds: number;
  #lastSeconds = 0;

  /** `startSeconds` becomes time 0 of the part. */
  constructor(container: SoundContainer, decoderConfig: AudioDecoderConfig, startSeconds: number) {
    this.#container = container;
    this.#decoderConfig = { ...decoderConfig, codec: codecString(container, decoderConfig) };
    this.#startSeconds = startSeconds;
    this.#output = new Output({ format: container.format(), target: this.#target });
    this.#source = new EncodedAudioPacketSource(container.codec);
    this.#output.addAudioTrack(this.#source);
  }

  start(): Promise<void> {
    return this.#output.start();
  }

  async add(packet: EncodedPacket): Promise<void> {
    // Times that go backwards are a defect of the recording, and containers cannot store them.
    this.#lastSeconds = Math.max(this.#lastSeconds, packet.timestamp - this.#startSeconds);
    const { swappedBytes } = this.#container;
    const data = swappedBytes > 1 ? withBytesSwapped(packet.data, swappedBytes) : packet.data;
    const copy = packet.clone({ data, timestamp: this.#lastSeconds, type: 'key' });
    await this.#source.add(copy, { decoderConfig: this.#decoderConfig });
  }

  async finish(): Promise<Uint8Array<ArrayBuffer>> {
    await this.#output.finalize();
    return new Uint8Array(this.#target.buffer ?? new ArrayBuffer());
  }
}

/** Samples with swapped bytes have the codec string of their new order. */
const codecString = ({ codec, swappedBytes }: SoundContainer, config: AudioDecoderConfig): string =>
  swappedBytes > 1 ? codec : config.codec;

function withBytesSwapped(samples: Uint8Array, sampleBytes: number): Uint8Array {
  const swapped = new Uint8Array(samples.length);
  for (let at = 0; at < samples.length; at += 1) {
    const inSample = at % sampleBytes;
    swapped[at] = samples[at - inSample + (sampleBytes - 1 - inSample)] ?? 0;
  }
  return swapped;
}
