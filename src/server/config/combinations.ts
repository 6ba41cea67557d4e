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
export function unfinishedSettings(set: Settings): string[] {
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
  return sentences;
}

const missing = (set: Settings, names: readonly Name[]): Name[] => names.filter((name) => !set[name]);
