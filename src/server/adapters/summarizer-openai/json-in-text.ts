/**
 * The JSON object in what a model wrote: alone, in a code fence, after its thoughts or between kind words.
 * @throws SyntaxError when there is none
 */
export function jsonInText(text: string): unknown {
  const spoken = text.replace(/^[\s\S]*<\/think>/, '').trim();
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n?\s*```/i.exec(spoken)?.[1];
  const [from, to] = [spoken.indexOf('{'), spoken.lastIndexOf('}')];
  for (const candidate of [spoken, fenced, spoken.slice(Math.max(from, 0), to + 1)]) {
    const value = candidate === undefined ? undefined : parsed(candidate);
    if (typeof value === 'object' && value !== null) return value;
  }
  throw new SyntaxError('There is no JSON object in the answer.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
