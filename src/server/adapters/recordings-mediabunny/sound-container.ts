import {
  type AudioCodec,
  type InputAudioTrack,
  Mp3OutputFormat,
  Mp4OutputFormat,
  type OutputFormat,
  WavOutputFormat,
  WebMOutputFormat,
} from 'mediabunny';
import { UnreadableRecording } from '#server/ports/recordings.ts';

/**
 * A file format that stores packets of a codec unchanged. Transcription services detect the format
 * by the extension.
 */
export interface SoundContainer {
  codec: AudioCodec;
  extension: string;
  contentType: string;
  format: () => OutputFormat;
  /** Bytes of a sample whose order is reversed for wav, which is little-endian; 1 for no change. */
  swappedBytes: number;
}

type Kind = Omit<SoundContainer, 'codec' | 'swappedBytes'>;
/** The sample tables come first, so that a service can read the file as a stream. */
const M4A: Kind = { extension: 'm4a', contentType: 'audio/mp4', format: () => new Mp4OutputFormat() };
const WEBM: Kind = { extension: 'webm', contentType: 'audio/webm', format: () => new WebMOutputFormat() };
const MP3: Kind = { extension: 'mp3', contentType: 'audio/mpeg', format: () => new Mp3OutputFormat() };
const WAV: Kind = { extension: 'wav', contentType: 'audio/wav', format: () => new WavOutputFormat() };

const asIs = (codec: AudioCodec, kind: Kind): SoundContainer => ({ ...kind, codec, swappedBytes: 1 });
const swapped = (codec: AudioCodec, swappedBytes: number): SoundContainer => ({ ...WAV, codec, swappedBytes });

const CONTAINERS: Partial<Record<AudioCodec, SoundContainer>> = {
  aac: asIs('aac', M4A),
  opus: asIs('opus', WEBM),
  vorbis: asIs('vorbis', WEBM),
  mp3: asIs('mp3', MP3),
  // In a flac file each packet would keep its position in the whole recording.
  flac: asIs('flac', M4A),
  'pcm-u8': asIs('pcm-u8', WAV),
  'pcm-s16': asIs('pcm-s16', WAV),
  'pcm-s24': asIs('pcm-s24', WAV),
  'pcm-s32': asIs('pcm-s32', WAV),
  'pcm-f32': asIs('pcm-f32', WAV),
  ulaw: asIs('ulaw', WAV),
  alaw: asIs('alaw', WAV),
  'pcm-s16be': swapped('pcm-s16', 2),
  'pcm-s24be': swapped('pcm-s24', 3),
  'pcm-s32be': swapped('pcm-s32', 4),
  'pcm-f32be': swapped('pcm-f32', 4),
};

/** @throws UnreadableRecording that names a codec without a container */
export async function containerFor(track: InputAudioTrack): Promise<SoundContainer> {
  const codec = await track.getCodec();
  const container = codec && CONTAINERS[codec];
  if (container) return container;
  const name = codec ?? (await track.getInternalCodecId());
  throw new UnreadableRecording(
    `The sound of this recording is in a format (${typeof name === 'string' ? name : 'unknown'}) that cannot be transcribed.`,
  );
}
