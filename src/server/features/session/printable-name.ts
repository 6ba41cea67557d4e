const LONGEST = 60;

/** A name as somebody typed it, fit for a log: nothing invisible, nothing that turns the line around, not too long. */
export function printableName(name: string): string {
  const visible = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
  const characters = [...visible];
  return characters.length <= LONGEST ? visible : `${characters.slice(0, LONGEST - 1).join('')}…`;
}
