import { spawn } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that the check needs, and the Debian package that has it. */
const PACKAGES = { buildah: 'buildah', mmdebstrap: 'mmdebstrap', npm: 'npm', runc: 'runc', umoci: 'umoci' };

/** Administrators' programs are in `sbin`, which the PATH of other accounts lacks. */
const PATH = `${process.env.PATH}${delimiter}/usr/sbin${delimiter}/sbin`;

/** Returns the path of a program, without links. */
export function findProgram(program: string): string | undefined {
  const found = PATH.split(delimiter).find((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  return found && realpathSync(join(found, program));
}

/** Returns the instructions that make it possible to build the image here, or null. */
export function findMissing(): string | null {
  const missing = Object.entries(PACKAGES).flatMap(([program, name]) => (findProgram(program) ? [] : [name]));
  if (missing.length > 0)
    return `Missing: ${missing.join(', ')}. On Debian and Ubuntu: apt-get install --no-install-recommends ${missing.join(' ')}`;
  return process.getuid?.() === 0 ? null : 'Building file systems needs root. Run it as root.';
}

/** A program failed. The message contains what it printed. */
export class ToolError extends Error {
  override name = 'ToolError';
}

/** Runs a program and returns what it printed on standard output. @throws ToolError */
export async function runTool(program: string, args: readonly string[], cwd = '/'): Promise<string> {
  const { status, output, errors } = await tryTool(program, args, cwd);
  if (status === 0) return output;
  throw new ToolError(
    `${program} ${args.join(' ')} failed with ${status}:\n${output.slice(-4_000)}${errors.slice(-4_000)}`,
  );
}

/** As `runTool`, but also returns after a failure. */
export async function tryTool(program: string, args: readonly string[], cwd = '/') {
  const env = { ...process.env, PATH, BUILDAH_ISOLATION: 'chroot' };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [chunks, errors]: Buffer[][] = [[], []];
  child.stdout.on('data', (chunk) => chunks?.push(chunk));
  child.stderr.on('data', (chunk) => errors?.push(chunk));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { status, output: String(Buffer.concat(chunks ?? [])), errors: String(Buffer.concat(errors ?? [])) };
}
