import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const Entry = z.object({
  version: z.string().optional(),
  /** Absent if the package comes from the registry of npm: see .npmrc. */
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().default(false),
  devOptional: z.boolean().default(false),
  /** The archive of another package contains it. */
  inBundle: z.boolean().default(false),
  hasInstallScript: z.boolean().default(false),
  dependencies: z.record(z.string(), z.string()).default({}),
});
const LockFile = z.object({ packages: z.record(z.string(), Entry) });

export interface LockedPackage extends z.output<typeof Entry> {
  name: string;
}

/** Lists every package in a lock file, without the package that the file belongs to. */
export async function lockedPackages(path = 'package-lock.json'): Promise<LockedPackage[]> {
  const text = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
  const { packages } = LockFile.parse(JSON.parse(text));
  return Object.entries(packages).flatMap(([path, entry]) =>
    path === '' ? [] : [{ ...entry, name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length) }],
  );
}
