import type { VideoToPublish } from '#server/ports/video-host.ts';

/** YouTube's limits (https://developers.google.com/youtube/v3/docs/videos#snippet.title and #snippet.description). */
const TITLE_CHARACTERS = 100;
const DESCRIPTION_BYTES = 5_000;
/** YouTube refuses a video without a title. */
const NO_TITLE = 'Video interview';
const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Title and description as YouTube takes them: without `<` and `>`, and no longer than it allows, cut between characters. */
export function videoTexts({ title, description }: Pick<VideoToPublish, 'title' | 'description'>) {
  const oneLine = allowed(title).replace(/\s+/g, ' ').trim();
  return {
    title: cut(oneLine, TITLE_CHARACTERS, (text) => text.length) || NO_TITLE,
    description: cut(allowed(description).trim(), DESCRIPTION_BYTES, (text) => Buffer.byteLength(text)),
  };
}

/** Control characters other than line ends and tabs mean nothing here and are refused. */
const allowed = (text: string) =>
  text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(/[<>]|(?![\n\t])\p{Cc}/gu, ' ');

function cut(text: string, most: number, size: (text: string) => number): string {
  if (size(text) <= most) return text;
  const room = most - size('…');
  let used = 0;
  let kept = '';
  for (const { segment } of CHARACTERS.segment(text)) {
    used += size(segment);
    if (used > room) break;
    kept += segment;
  }
  return kept.trimEnd() === '' ? '' : `${kept.trimEnd()}…`;
}
