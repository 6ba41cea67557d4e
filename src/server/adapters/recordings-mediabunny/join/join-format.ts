import {
  type AudioCodec,
  type InputAudioTrack,
  type InputVideoTrack,
  MATROSKA,
  Mp4OutputFormat,
  type OutputFormat,
  type VideoCodec,
  type VideoTrackMetadata,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny';
import { DifferentRecordings, type JoinInput } from './join-inputs.ts';
import { silentPacketOf } from './silence.ts';

interface VideoFormat {
  codec: VideoCodec;
  config: VideoDecoderConfig;
  rotation: NonNullable<VideoTrackMetadata['rotation']>;
}

interface AudioFormat {
  codec: AudioCodec;
  config: AudioDecoderConfig;
}

/** The format that all recordings of a joined file share. */
export interface JoinFormat {
  video: VideoFormat | null;
  audio: AudioFormat | null;
  extension: 'mp4' | 'webm';
  newOutputFormat: () => OutputFormat;
}

/**
 * Returns the common format of recordings. A recording without sound fits if silence can be
 * written.
 * @throws DifferentRecordings
 */
export async function commonFormat(inputs: readonly JoinInput[]): Promise<JoinFormat> {
  const videos = await Promise.all(inputs.map(({ video }) => video && videoFormat(video)));
  const audios = await Promise.all(inputs.map(({ audio }) => audio && audioFormat(audio)));
  const video = videos.find((format) => format !== null) ?? null;
  const audio = audios.find((format) => format !== null) ?? null;
  for (const [index, format] of videos.entries()) requireSameVideo(video, format, index);
  for (const [index, format] of audios.entries()) requireSameAudio(audio, format, index);
  return { video, audio, ...(await containerOf(inputs, { video, audio })) };
}

async function videoFormat(track: InputVideoTrack): Promise<VideoFormat> {
  const [codec, config] = [await track.getCodec(), await track.getDecoderConfig()];
  if (!codec || !config) throw new DifferentRecordings('The picture of a recording is in an unknown format.');
  return { codec, config, rotation: await track.getRotation() };
}

async function audioFormat(track: InputAudioTrack): Promise<AudioFormat> {
  const [codec, config] = [await track.getCodec(), await track.getDecoderConfig()];
  if (!codec || !config) throw new DifferentRecordings('The sound of a recording is in an unknown format.');
  return { codec, config };
}

function requireSameVideo(first: VideoFormat | null, other: VideoFormat | null, index: number): void {
  if (first === null || other === first) return;
  const nth = `Recording ${index + 1}`;
  if (other === null) throw new DifferentRecordings(`${nth} has no picture.`);
  if (other.codec !== first.codec)
    throw new DifferentRecordings(`${nth} has the codec ${other.codec}, the first one has ${first.codec}.`);
  if (sizeOf(other) !== sizeOf(first))
    throw new DifferentRecordings(`${nth} has the size ${sizeOf(other)}, the first one has ${sizeOf(first)}.`);
  if (other.rotation !== first.rotation || !hasSameDescription(other.config, first.config))
    throw new DifferentRecordings(`${nth} is encoded with other settings than the first one.`);
}

function requireSameAudio(first: AudioFormat | null, other: AudioFormat | null, index: number): void {
  if (first === null || other === first) return;
  const nth = `Recording ${index + 1}`;
  if (other === null) {
    if (!silentPacketOf(first)) throw new DifferentRecordings(`${nth} has no sound.`);
    return;
  }
  if (other.codec !== first.codec)
    throw new DifferentRecordings(
      `The sound of recording ${index + 1} is ${other.codec}, the first one has ${first.codec}.`,
    );
  const isSame =
    other.config.sampleRate === first.config.sampleRate &&
    other.config.numberOfChannels === first.config.numberOfChannels &&
    (first.codec === 'opus' || hasSameDescription(other.config, first.config));
  if (!isSame) throw new DifferentRecordings(`The sound of recording ${index + 1} is encoded with other settings.`);
}

const sizeOf = ({ config }: VideoFormat) => `${config.codedWidth} × ${config.codedHeight}`;

/** Decoders need the description of H.264, HEVC and AAC. A file has one description per track. */
const hasSameDescription = (a: Config, b: Config): boolean =>
  Buffer.compare(bytesOf(a.description), bytesOf(b.description)) === 0;

type Config = Pick<VideoDecoderConfig | AudioDecoderConfig, 'description'>;

function bytesOf(source: Config['description']): Buffer {
  if (!source) return Buffer.alloc(0);
  if (ArrayBuffer.isView(source)) return Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  return Buffer.from(source);
}

/** Keeps the container of webm. Everything else becomes an mp4 that begins with its tables. */
async function containerOf(
  [first]: readonly JoinInput[],
  { video, audio }: Pick<JoinFormat, 'video' | 'audio'>,
): Promise<Pick<JoinFormat, 'extension' | 'newOutputFormat'>> {
  const from = await first?.input.getFormat();
  const containers = [
    { extension: 'webm' as const, newOutputFormat: () => new WebMOutputFormat() },
    { extension: 'mp4' as const, newOutputFormat: () => new Mp4OutputFormat({ fastStart: 'reserve' }) },
  ];
  const preferred = from === WEBM || from === MATROSKA ? containers : containers.slice(1);
  const container = preferred.find(({ newOutputFormat }) => {
    const codecs = newOutputFormat().getSupportedCodecs();
    return [video, audio].every((track) => track === null || codecs.includes(track.codec));
  });
  if (!container) throw new DifferentRecordings('Recordings in this format cannot be joined.');
  return container;
}
