import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { delimiter } from 'node:path';
import which from 'which';

/** Administrators' programs are in `sbin`, which the PATH of other accounts lacks. */
const PATH = `${process.env.PATH}${delimiter}/usr/sbin${delimiter}/sbin`;

/** Returns the path of a program, without links. */
export function findProgram(program: string): string | undefined {
  const found = which.sync(program, { path: PATH, nothrow: true });
  return found ? realpathSync(found) : undefined;
}

/** This machine lacks something that the check needs, so nothing was checked. */
export class CannotRunHere extends Error {
  override name = 'CannotRunHere';
}

export function cannotRunHere(error: Error): never {
  throw new CannotRunHere(error.message);
}

const MIN_FREE_BYTES = 4e9;
const NAMESPACES = ['--mount', '--pid', '--net', '--ipc', '--uts'];

/**
 * @param folder where file systems are built
 * @param programs Debian's packages have the same names
 * @throws CannotRunHere with what has to be done
 */
export async function checkTools(folder: string, programs: readonly string[]): Promise<void> {
  const missing = programs.filter((program) => !findProgram(program)).join(' ');
  if (missing) throw new CannotRunHere(`On Debian and Ubuntu: apt-get install --no-install-recommends ${missing}`);
  if (process.getuid?.() !== 0) throw new CannotRunHere('Building file systems needs root. Run it as root.');
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < MIN_FREE_BYTES) throw new CannotRunHere(`${folder} needs 4 GB of free space.`);
  const { status, errors } = await tryTool('unshare', [...NAMESPACES, '--fork', 'true']);
  if (status !== 0) throw new CannotRunHere(`This machine allows no namespaces: ${errors.trim()}`);
}

interface ToolOptions {
  cwd?: string;
  /** Where the program may leave files when it is killed. */
  temporary?: string;
  /** The program and its children are killed after this time; default: a minute. */
  limitMs?: number;
}

/**
 * Runs a program and returns what it printed on standard output.
 * @throws Error with what it printed, if it fails
 */
export async function runTool(program: string, args: readonly string[], options: ToolOptions = {}): Promise<string> {
  const { status, output, errors } = await tryTool(program, args, options);
  if (status === 0) return output;
  throw new Error(
    `${program} ${args.join(' ')} failed with ${status}:\n${output.slice(-4_000)}${errors.slice(-4_000)}`,
  );
}

/** Like `runTool`, but returns the status instead of throwing. */
export async function tryTool(
  program: string,
  args: readonly string[],
  { limitMs = 60_000, ...options }: ToolOptions = {},
): Promise<{ status: number | null; output: string; errors: string }> {
  const tool = spawnTool(program, args, options);
  const { child } = tool;
  const late = setTimeout(() => {
    tool.errors += `\nIt did not end within ${limitMs / 1_000} s.`;
    endTool(child);
    // A process that left the group may keep the pipes open.
    for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  }, limitMs);
  const [status] = await once(child, 'close').finally(() => clearTimeout(late));
  return { status, output: tool.output, errors: tool.errors };
}

const running = new Set<ChildProcess>();

/** Starts a program in its own process group, so that it can be ended with its children. */
export function spawnTool(
  program: string,
  args: readonly string[],
  { cwd = '/', temporary }: Omit<ToolOptions, 'limitMs'> = {},
) {
  const env = { ...process.env, PATH, BUILDAH_ISOLATION: 'chroot', ...(temporary && { TMPDIR: temporary }) };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  // `output` and `errors` are what it has printed so far.
  const tool = { child, output: '', errors: '', hasEnded };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (tool.output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (tool.errors += text));
  return tool;
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
