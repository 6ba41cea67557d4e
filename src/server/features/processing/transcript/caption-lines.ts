/** What a viewer reads at a glance. */
const LINE_CHARACTERS = 42;
const LINES = 2;

/** A text in pieces of at most two lines, each short enough for the width of a video. Only spaces are lost. */
export function captionPieces(text: string): string[][] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean).flatMap(fitting)) {
    const line = lines.at(-1);
    if (line !== undefined && lengthOf(line) + 1 + lengthOf(word) <= LINE_CHARACTERS)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return Array.from({ length: Math.ceil(lines.length / LINES) }, (_, nth) =>
    lines.slice(nth * LINES, (nth + 1) * LINES),
  );
}

/** Scripts that put no spaces between words, and whatever else is longer than a line, are cut between characters. */
function fitting(word: string): string[] {
  const characters = [...word];
  return Array.from({ length: Math.ceil(characters.length / LINE_CHARACTERS) }, (_, nth) =>
    characters.slice(nth * LINE_CHARACTERS, (nth + 1) * LINE_CHARACTERS).join(''),
  );
}

const lengthOf = (text: string) => [...text].length;
