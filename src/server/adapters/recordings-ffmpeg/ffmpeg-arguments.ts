import type { RecordingContent } from '#server/ports/recordings.ts';

export interface EncodeInput {
  path: string;
  content: Pick<RecordingContent, 'hasSound' | 'pictureSize'> & { durationSeconds: number };
}

type Size = NonNullable<RecordingContent['pictureSize']>;

const FRAMES_PER_SECOND = 30;
const SAMPLE_RATE = 48_000;
const SOUND = `aformat=sample_fmts=fltp:sample_rates=${SAMPLE_RATE}:channel_layouts=stereo`;
/** Allows only files and only the stored formats, because playlists could name other files. */
const INPUT = ['-protocol_whitelist', 'file', '-format_whitelist', 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm'];
const PICTURE = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23'];

/**
 * Returns the arguments that encode the inputs one after another into an mp4 of the largest size,
 * with the tables first. Missing pictures become black, and missing sound becomes silence.
 */
export function ffmpegArguments(inputs: readonly EncodeInput[], outputPath: string): string[] {
  const size = largestSize(inputs.flatMap(({ content }) => content.pictureSize ?? []));
  const filters = inputs.flatMap(({ content }, index) => [
    ...(size ? [pictureFilter(content, index, size)] : []),
    soundFilter(content, index),
  ]);
  const labels = inputs.map((_, index) => `${size ? `[v${index}]` : ''}[a${index}]`).join('');
  const joined = `${labels}concat=n=${inputs.length}:v=${size ? 1 : 0}:a=1${size ? '[v]' : ''}[a]`;
  return [
    ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-y'],
    ...inputs.flatMap(({ path }) => [...INPUT, '-i', path]),
    ...['-filter_complex', [...filters, joined].join(';')],
    ...(size ? ['-map', '[v]', ...PICTURE] : []),
    ...['-map', '[a]', '-c:a', 'aac', '-b:a', '128k', '-map_metadata', '-1', '-movflags', '+faststart'],
    ...['-f', 'mp4', outputPath],
  ];
}

/** Sizes are even, as H.264 requires. */
function largestSize(sizes: readonly Size[]): Size | null {
  const [largest] = sizes.toSorted((a, b) => b.width * b.height - a.width * a.height);
  const even = (pixels: number) => Math.max(2, Math.round(pixels / 2) * 2);
  return largest ? { width: even(largest.width), height: even(largest.height) } : null;
}

function pictureFilter(content: EncodeInput['content'], index: number, { width, height }: Size): string {
  const source = content.pictureSize
    ? `[${index}:v:0]scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1,fps=${FRAMES_PER_SECOND}`
    : `color=c=black:s=${width}x${height}:r=${FRAMES_PER_SECOND}:d=${content.durationSeconds}`;
  return `${source},setsar=1,format=yuv420p[v${index}]`;
}

const soundFilter = ({ hasSound, durationSeconds }: EncodeInput['content'], index: number): string =>
  `${hasSound ? `[${index}:a:0]aresample=${SAMPLE_RATE}` : `anullsrc=r=${SAMPLE_RATE}:cl=stereo,atrim=duration=${durationSeconds}`},${SOUND}[a${index}]`;
