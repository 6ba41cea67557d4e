import { readFileSync } from 'node:fs';

export const isSecret = (name: string): boolean => /(PASSWORD|SECRET|TOKEN|KEY|KEY_PREVIOUS|KEY_ID)$/.test(name);

/** Secrets, and URLs that may contain passwords. */
export const mayBeInFile = (name: string): boolean =>
  isSecret(name) || /^(DATABASE_\w*URL|SMTP_URL|OUTGOING_PROXY)$/.test(name);

/** The path in `NAME_FILE`, if this variable may be in a file. */
export const findSecretFile = (environment: NodeJS.ProcessEnv, name: string): string | undefined =>
  mayBeInFile(name) ? environment[`${name}_FILE`]?.trim() || undefined : undefined;

/** Reads the variables that are in files. A line end at the end of a file does not belong to it. */
export function readSecretFiles(environment: NodeJS.ProcessEnv, names: readonly string[]) {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of names) {
    const path = findSecretFile(environment, name);
    if (path === undefined) continue;
    if (environment[name]?.trim()) problems.push(`${name} and ${name}_FILE are both set. Unset one of them.`);
    try {
      const value = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      if (value.trim()) values[name] = value;
      else problems.push(`${name}_FILE is ${path}, which is empty. Write the value into it.`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.push(`${name}_FILE is ${path}, which cannot be read (${code}). Set it to the path of a readable file.`);
    }
  }
  return { values, problems };
}
