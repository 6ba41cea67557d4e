const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '', quot: '"' };

/**
 * What a cue says, on one line: without the tags of WebVTT and SubRip (`<i>`, `<v Ana>`, `<00:01.000>`), the positions that SubRip files
 * borrow from another format (`{\an8}`), WebVTT's escapes (WebVTT, section 3.3), and NUL, which PostgreSQL refuses.
 */
export const plainCueText = (text: string): string =>
  text
    .replaceAll('\0', '')
    .replace(/<\/?[a-z\d][^<>]*>|\{\\[^{}]*\}/gi, '')
    .replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();
