import type { VideoToPublish } from '#server/ports/video-host.ts';

/**
 * YouTube's limits (https://developers.google.com/youtube/v3/docs/videos#snippet.title and
 * #snippet.description).
 */
const MAX_TITLE_CHARACTERS = 100;
const MAX_DESCRIPTION_BYTES = 5_000;
/** YouTube requires a title. */
const NO_TITLE = 'Video interview';
const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Returns title and description as YouTube accepts them: without `<` and `>`, and cut to its limits
 * without splitting a character.
 */
export function videoTexts({ title, description }: Pick<VideoToPublish, 'title' | 'description'>) {
  const oneLine = allowed(title).replace(/\s+/g, ' ').trim();
  return {
    title: cut(oneLine, MAX_TITLE_CHARACTERS, (text) => text.length) || NO_TITLE,
    description: cut(allowed(description).trim(), MAX_DESCRIPTION_BYTES, (text) => Buffer.byteLength(text)),
  };
}

/** YouTube refuses control characters other than line ends and tabs. */
const allowed = (text: string) =>
  text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(/[<>]|(?![\n\t])\p{Cc}/gu, ' ');

function cut(text: string, max: number, size: (text: string) => number): string {
  if (size(text) <= max) return text;
  const room = max - size('…');
  let used = 0;
  let kept = '';
  for (const { segment } of CHARACTERS.segment(text)) {
    used += size(segment);
    if (used > room) break;
    kept += segment;
  }
  return kept.trimEnd() === '' ? '' : `${kept.trimEnd()}…`;
}
