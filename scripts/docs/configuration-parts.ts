import { mayBeInFile } from '#server/config/secret-files.ts';
import { VARIABLES } from '#server/config/variables.ts';
import type { Parts } from './generate.ts';

/** Every variable with its default and its description, and those that may be in a file. */
export function configurationParts(): Parts {
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
