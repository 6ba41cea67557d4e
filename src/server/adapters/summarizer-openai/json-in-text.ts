/**
 * The JSON object in what a model wrote: alone, in a code fence, after its thoughts or between kind words.
 * @throws SyntaxError when there is none
 */
export function jsonInText(text: string): unknown {
  const spoken = text.replace(/^[\s\S]*<\/think>/, '').trim();
  const fenced = insideFence(spoken);
  const [from, to] = [spoken.indexOf('{'), spoken.lastIndexOf('}')];
  for (const candidate of [spoken, fenced, spoken.slice(Math.max(from, 0), to + 1)]) {
    const value = candidate === undefined ? undefined : parsed(candidate);
    if (typeof value === 'object' && value !== null) return value;
  }
  throw new SyntaxError('There is no JSON object in the answer.');
}

/** What stands between the first line of three backticks and the next three. */
function insideFence(text: string): string | undefined {
  const start = text.indexOf('```');
  const line = start < 0 ? -1 : text.indexOf('\n', start);
  const end = line < 0 ? -1 : text.indexOf('```', line);
  return end < 0 || !/^(json)?\s*$/i.test(text.slice(start + 3, line)) ? undefined : text.slice(line, end);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
