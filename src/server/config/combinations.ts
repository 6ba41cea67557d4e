type Name =
  | 'ENCRYPTION_KEY'
  | 'ENCRYPTION_KEY_PREVIOUS'
  | 'SUMMARY_API_KEY'
  | 'SUMMARY_URL'
  | 'TRANSCRIPTION_API_KEY'
  | 'TRANSCRIPTION_URL'
  | 'YOUTUBE_CLIENT_ID'
  | 'YOUTUBE_CLIENT_SECRET'
  | 'YOUTUBE_REFRESH_TOKEN';
type Settings = { readonly [name in Name]?: string | undefined };
interface ScanSettings {
  readonly CLAMD_ADDRESS?: object | null | undefined;
  readonly MAX_VIDEO_BYTES?: number;
}

/** What ClamAV can look into: larger files it passes over (`man clamd.conf`, MaxFileSize). */
const SCANNABLE_BYTES = 2 ** 31 - 1;

/** Variables that can only be mistakes without others: a sentence each, with what to do. */
export function impossibleSettings(set: Settings): string[] {
  const problems: string[] = [];
  if (set.ENCRYPTION_KEY_PREVIOUS && !set.ENCRYPTION_KEY)
    problems.push(
      'ENCRYPTION_KEY_PREVIOUS needs ENCRYPTION_KEY. Set ENCRYPTION_KEY to the new key, or unset ENCRYPTION_KEY_PREVIOUS: a generated key is rotated without it.',
    );
  const client = missing(set, ['YOUTUBE_CLIENT_ID', 'YOUTUBE_CLIENT_SECRET']);
  if (set.YOUTUBE_REFRESH_TOKEN && client.length > 0)
    problems.push(
      `YOUTUBE_REFRESH_TOKEN needs ${client.join(' and ')} of the client that it was given to. Set ${client.length > 1 ? 'them' : 'it'}, or unset YOUTUBE_REFRESH_TOKEN.`,
    );
  return problems;
}

/**
 * What is set and has no effect yet: a sentence each. A client of YouTube without its permission is on its way (`npm run youtube:connect`
 * asks for it with them), so none of this is an error.
 */
export function unfinishedSettings(set: Settings & ScanSettings): string[] {
  const youtube = missing(set, ['YOUTUBE_CLIENT_ID', 'YOUTUBE_CLIENT_SECRET', 'YOUTUBE_REFRESH_TOKEN']);
  const sentences =
    youtube.length === 1 || youtube.length === 2
      ? [
          `YouTube is not connected, for want of ${youtube.join(' and ')}: npm run youtube:connect gets what is missing.`,
        ]
      : [];
  for (const service of ['TRANSCRIPTION', 'SUMMARY'] as const)
    if (set[`${service}_API_KEY`] && !set[`${service}_URL`])
      sentences.push(`${service}_API_KEY has no effect, for want of ${service}_URL: the address of its service.`);
  if (set.CLAMD_ADDRESS && (set.MAX_VIDEO_BYTES ?? 0) > SCANNABLE_BYTES)
    sentences.push(
      `ClamAV looks into no file above 2 GB, and MAX_VIDEO_BYTES allows larger videos: set MAX_VIDEO_BYTES=${SCANNABLE_BYTES} or less, and StreamMaxLength, MaxFileSize and MaxScanSize of clamd.conf to it.`,
    );
  return sentences;
}

const missing = (set: Settings, names: readonly Name[]): Name[] => names.filter((name) => !set[name]);
