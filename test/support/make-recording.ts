import { readFile } from 'node:fs/promises';
import {
  ALL_FORMATS,
  type AudioCodec,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  FilePathTarget,
  Input,
  type MetadataTags,
  MkvOutputFormat,
  MovOutputFormat,
  MP4,
  Mp3OutputFormat,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  type Target,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny';
import { MEDIA_DIR } from '#sandbox/interviews/recordings.ts';

const FORMATS = {
  mp4: () => new Mp4OutputFormat({ fastStart: false }),
  mov: () => new MovOutputFormat(),
  webm: () => new WebMOutputFormat(),
  mkv: () => new MkvOutputFormat(),
  mp3: () => new Mp3OutputFormat(),
} satisfies Record<string, () => OutputFormat>;
export type Container = keyof typeof FORMATS;

/** Reads a recording of the sandbox. */
export const sample = (name: string) => readFile(new URL(name, MEDIA_DIR));

const inputOf = (bytes: Uint8Array) => new Input({ formats: [MP4, WEBM], source: new BufferSource(bytes) });

/** Writes a file that repeats the sound of a sample for this many seconds. */
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

/** Creates a recording that contains only these sound samples. */
export const ofSamples = (container: Container, codec: AudioCodec, samples: Uint8Array): Promise<Buffer> =>
  withSound(container, codec, { samples });

/**
 * Silent frames of MPEG-1 audio layer III, 128 kbit/s at 44.1 kHz (ISO/IEC 11172-3, 2.4.1.3).
 */
export function silentMp3(seconds: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xff_fb_90_00);
  return Buffer.concat(Array.from({ length: Math.round((seconds * 44_100) / 1_152) }, () => frame));
}

/** Creates a recording that contains titles and names. */
export const withTags = (container: Container, tags: MetadataTags): Promise<Buffer> =>
  container === 'mp3'
    ? withSound(container, 'mp3', { samples: silentMp3(2), tags })
    : withSound(container, 'pcm-s16', { samples: new Uint8Array(64_000).fill(33), tags });

/** Returns the titles and names in a recording, and its sound. */
export async function readTags(bytes: Uint8Array) {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const track = await input.getPrimaryAudioTrack();
  if (!track) throw new Error('The recording has no sound.');
  const packets = await allPackets(new EncodedPacketSink(track));
  const { raw: _raw, ...tags } = await input.getMetadataTags();
  return { tags, name: await track.getName(), sound: Buffer.concat(packets.map(({ data }) => data)) };
}

async function withSound(
  container: Container,
  codec: AudioCodec,
  { samples, tags = {} }: { samples: Uint8Array; tags?: MetadataTags },
): Promise<Buffer> {
  const source = new EncodedAudioPacketSource(codec);
  return written(container, async (output) => {
    output.addAudioTrack(source, tags.title === undefined ? {} : { name: tags.title });
    output.setMetadataTags(tags);
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
/** One channel with 16 bits. */
export const BYTES_PER_SECOND = SAMPLE_RATE * 2;
const PACKET_BYTES = 1_600;

async function written(container: Container, fill: (output: Output) => Promise<void>): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output<OutputFormat, Target>({ format: FORMATS[container](), target });
  await fill(output);
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer());
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
  if (!config) throw new Error('The sample has no sound in a known codec.');
  return config;
}

function formatOf(path: string): OutputFormat {
  const container = path.split('.').at(-1) as Container;
  return FORMATS[container]();
}
