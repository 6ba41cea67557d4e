import { readFile } from 'node:fs/promises';
import { mayBeInFile } from '#server/config/secret-files.ts';
import { VARIABLES } from '#server/config/variables.ts';
import { eventParts } from './event-parts.ts';
import { licenseParts } from './license-parts.ts';

/** Texts by the name of their place in the page. */
export type Parts = Record<string, string>;

const RULES = 'deploy/monitoring/prometheus-rule.yaml';
const PAGES: Record<string, () => Parts | Promise<Parts>> = {
  'docs/CONFIGURATION.md': configurationParts,
  'docs/EVENTS.md': eventParts,
  'docs/LICENSES.md': licenseParts,
};
export const GENERATED = [...Object.keys(PAGES), RULES];

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Returns the text of a file with its generated parts replaced. The rest is written by hand. */
export async function generate(file: string): Promise<string> {
  const text = await read(file);
  const parts = await PAGES[file]?.();
  if (!parts) return text.replace(/^spec:\n.*/ms, `spec:\n${await rulesOfOperator()}`);
  return Object.entries(parts).reduce(replacePart, text);
}

/** @throws Error if the page has no place between `<!-- generated: name -->` and `<!-- end -->` */
function replacePart(page: string, [name, part]: [string, string]): string {
  const place = new RegExp(`(<!-- generated: ${name} -->\n?).*?(\n?<!-- end -->)`, 's');
  if (!place.test(page)) throw new Error(`The page has no place for ${name}.`);
  return page.replace(place, (_, begin, end) => `${begin}${part}${end}`);
}

/** The rules as the `spec` of a resource of Kubernetes. */
async function rulesOfOperator(): Promise<string> {
  const lines = (await read('deploy/monitoring/rules.yaml')).split('\n');
  return lines.map((line) => (line === '' || line.startsWith('#') ? '' : `  ${line}\n`)).join('');
}

/** Every variable with its default and its description, and those that may be in a file. */
function configurationParts(): Parts {
  const rows = Object.entries(VARIABLES).map(([name, schema]) => {
    const fallback = schema.safeParse(undefined);
    const value = fallback.success && fallback.data !== undefined ? `\`${fallback.data}\`` : 'unset';
    return `| \`${name}\` | ${value} | ${schema.description ?? ''} |`;
  });
  const inFiles = Object.keys(VARIABLES).filter(mayBeInFile);
  return {
    variables: ['| Variable | Default | Description |', '| --- | --- | --- |', ...rows].join('\n'),
    files: inFiles.map((name) => `\`${name}\``).join(', '),
  };
}
