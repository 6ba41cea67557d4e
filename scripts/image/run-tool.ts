import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The programs that the check needs, with the Debian packages that contain them. */
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

/** This machine cannot build or run the image, so the image was not checked. */
export class CannotRunHere extends Error {
  override name = 'CannotRunHere';
}

const MIN_FREE_BYTES = 4e9;

/**
 * @param folder where the image is built
 * @throws CannotRunHere with what has to be done
 */
export async function checkTools(folder: string): Promise<void> {
  const missing = Object.entries(PACKAGES).flatMap(([program, name]) => (findProgram(program) ? [] : [name]));
  if (missing.length > 0)
    throw new CannotRunHere(
      `Missing: ${missing.join(', ')}. On Debian and Ubuntu: apt-get install --no-install-recommends ${missing.join(' ')}`,
    );
  if (process.getuid?.() !== 0) throw new CannotRunHere('Building file systems needs root. Run it as root.');
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < MIN_FREE_BYTES) throw new CannotRunHere(`${folder} needs 4 GB of free space.`);
  const { status, errors } = await tryTool('unshare', [
    '--mount',
    '--pid',
    '--net',
    '--ipc',
    '--uts',
    '--fork',
    'true',
  ]);
  if (status !== 0) throw new CannotRunHere(`This machine allows no namespaces: ${errors.trim()}`);
}

/** A program failed. The message contains what it printed. */
export class ToolError extends Error {
  override name = 'ToolError';
}

interface ToolOptions {
  cwd?: string;
  /** Where the program may leave files when it is killed. */
  temporary?: string;
  /** The program and its children are killed after this time; default: a minute. */
  limitMs?: number;
}

/** Runs a program and returns what it printed on standard output. @throws ToolError */
export async function runTool(program: string, args: readonly string[], options: ToolOptions = {}): Promise<string> {
  const { status, output, errors } = await tryTool(program, args, options);
  if (status === 0) return output;
  throw new ToolError(
    `${program} ${args.join(' ')} failed with ${status}:\n${output.slice(-4_000)}${errors.slice(-4_000)}`,
  );
}

/** Like `runTool`, but returns the status instead of throwing. */
export async function tryTool(
  program: string,
  args: readonly string[],
  { limitMs = 60_000, ...options }: ToolOptions = {},
) {
  const child = spawnTool(program, args, options);
  const [chunks, errors]: Buffer[][] = [[], []];
  child.stdout?.on('data', (chunk) => chunks?.push(chunk));
  child.stderr?.on('data', (chunk) => errors?.push(chunk));
  const late = setTimeout(() => {
    errors?.push(Buffer.from(`\nIt did not end within ${limitMs / 1_000} s.`));
    endTool(child);
    // A process that left the group may keep the pipes open.
    for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  }, limitMs);
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => clearTimeout(late));
  return { status, output: String(Buffer.concat(chunks ?? [])), errors: String(Buffer.concat(errors ?? [])) };
}

const running = new Set<ChildProcess>();

/** Starts a program in its own process group, so that it can be ended with its children. */
export function spawnTool(
  program: string,
  args: readonly string[],
  { cwd = '/', temporary }: Omit<ToolOptions, 'limitMs'> = {},
): ChildProcess {
  const env = { ...process.env, PATH, BUILDAH_ISOLATION: 'chroot', ...(temporary && { TMPDIR: temporary }) };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Kills all programs that are running, with their children. */
export function endTools(): void {
  for (const child of running) endTool(child);
}

function endTool({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
