import { readFile } from 'node:fs/promises';
import {
  type AudioCodec,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathTarget,
  Input,
  MkvOutputFormat,
  MovOutputFormat,
  MP4,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  type Target,
  TextSubtitleSource,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny';
import { MEDIA_DIR } from '#sandbox/interviews/recordings.ts';

const FORMATS = {
  mp4: () => new Mp4OutputFormat({ fastStart: false }),
  mov: () => new MovOutputFormat(),
  webm: () => new WebMOutputFormat(),
  mkv: () => new MkvOutputFormat(),
} satisfies Record<string, () => OutputFormat>;
export type Container = keyof typeof FORMATS;

/** A committed recording of the sandbox. */
export const sample = (name: string) => readFile(new URL(name, MEDIA_DIR));

const inputOf = (bytes: Uint8Array) => new Input({ formats: [MP4, WEBM], source: new BufferSource(bytes) });

/** The sound of a sample again and again for so many seconds, written to a file packet by packet. */
export async function writeLoopedSound(path: string, from: Buffer, seconds: number): Promise<void> {
  const input = inputOf(from);
  const track = await input.getPrimaryAudioTrack();
  if (!track) throw new Error('The sample has no sound.');
  const packets = await allPackets(new EncodedPacketSink(track));
  const begin = packets[0]?.timestamp ?? 0;
  const loop = (packets.at(-1)?.timestamp ?? 0) + (packets.at(-1)?.duration ?? 0) - begin;
  const source = new EncodedAudioPacketSource((await track.getCodec()) ?? 'aac');
  const output = new Output({ format: formatOf(path), target: new FilePathTarget(path) });
  output.addAudioTrack(source);
  await output.start();
  const decoderConfig = await configOf(track);
  for (let start = 0; start < seconds; start += loop)
    for (const packet of packets) {
      const timestamp = start + packet.timestamp - begin;
      if (timestamp < seconds) await source.add(packet.clone({ timestamp }), { decoderConfig });
    }
  await output.finalize();
}

/** A sample's pictures and sound with captions beside them. */
export async function withCaptions(from: Buffer, container: Container, webVtt: string): Promise<Buffer> {
  const input = inputOf(from);
  const captions = new TextSubtitleSource('webvtt');
  return written(container, async (output) => {
    const copies = [await copyOfSound(input, output), await copyOfPictures(input, output)];
    output.addSubtitleTrack(captions);
    await output.start();
    for (const copy of copies) await copy();
    await captions.add(webVtt);
    captions.close();
  });
}

/** A recording of nothing but these samples of sound, as they are. */
export async function ofSamples(container: Container, codec: AudioCodec, samples: Uint8Array): Promise<Buffer> {
  const source = new EncodedAudioPacketSource(codec);
  return written(container, async (output) => {
    output.addAudioTrack(source);
    await output.start();
    const decoderConfig = { codec, numberOfChannels: 1, sampleRate: SAMPLE_RATE };
    for (let at = 0; at < samples.length; at += PACKET_BYTES) {
      const data = samples.subarray(at, at + PACKET_BYTES);
      const seconds = (bytes: number) => bytes / BYTES_PER_SECOND;
      await source.add(new EncodedPacket(data, 'key', seconds(at), seconds(data.length)), { decoderConfig });
    }
  });
}

const SAMPLE_RATE = 8_000;
/** 16 bits, one channel. */
export const BYTES_PER_SECOND = SAMPLE_RATE * 2;
const PACKET_BYTES = 1_600;

async function written(container: Container, fill: (output: Output) => Promise<void>): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output<OutputFormat, Target>({ format: FORMATS[container](), target });
  await fill(output);
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer());
}

async function copyOfSound(input: Input, output: Output): Promise<() => Promise<void>> {
  const track = await input.getPrimaryAudioTrack();
  if (!track) return async () => {};
  const source = new EncodedAudioPacketSource((await track.getCodec()) ?? 'aac');
  output.addAudioTrack(source);
  const decoderConfig = await configOf(track);
  return async () => {
    for (const packet of await allPackets(new EncodedPacketSink(track)))
      if (packet.timestamp >= 0) await source.add(packet, { decoderConfig });
    source.close();
  };
}

async function copyOfPictures(input: Input, output: Output): Promise<() => Promise<void>> {
  const track = await input.getPrimaryVideoTrack();
  if (!track) return async () => {};
  const source = new EncodedVideoPacketSource((await track.getCodec()) ?? 'avc');
  output.addVideoTrack(source);
  const decoderConfig = (await track.getDecoderConfig()) ?? undefined;
  return async () => {
    for (const packet of await allPackets(new EncodedPacketSink(track)))
      await source.add(packet, decoderConfig ? { decoderConfig } : {});
    source.close();
  };
}

async function allPackets(sink: EncodedPacketSink): Promise<EncodedPacket[]> {
  const packets: EncodedPacket[] = [];
  for await (const packet of sink.packets()) packets.push(packet);
  return packets;
}

async function configOf(track: {
  getDecoderConfig(): Promise<AudioDecoderConfig | null>;
}): Promise<AudioDecoderConfig> {
  const config = await track.getDecoderConfig();
  if (!config) throw new Error('The sample has no sound that we know.');
  return config;
}

function formatOf(path: string): OutputFormat {
  const container = path.split('.').at(-1) as Container;
  return FORMATS[container]();
}
