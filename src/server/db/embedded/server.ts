import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Access, waitUntilReady } from './access.ts';
import { translateOutput } from './embedded-postgres-error.ts';
import { type Account, commandOf, runProgram } from './os-account.ts';
import { writeSettings } from './settings.ts';

export interface ServerPlan {
  account: Account;
  /** Folder of PostgreSQL's programs. */
  bin: string;
  cluster: string;
  poolSize: number;
  logFile: string;
  log: { info(message: string): void };
}

const MAX_ATTEMPTS = 5;
const LISTEN_TIMEOUT_MS = 30_000;
/** The processes of a killed server keep its port and shared memory for some seconds. */
const STILL_CLOSING = /pre-existing shared memory block|Address already in use|could not create any TCP\/IP sockets/i;

/**
 * Starts the server and waits until it responds. Returns its access with the valid password.
 * @throws EmbeddedPostgresError
 */
export async function launchServer(plan: ServerPlan, stored: Access) {
  await writeSettings(plan.cluster, { port: stored.port, poolSize: plan.poolSize });
  for (let attempt = 1; ; attempt += 1) {
    const logged = await stat(plan.logFile).catch(() => ({ size: 0 }));
    const child = spawnServer(plan);
    const hasEnded = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
    // `unshare` becomes the server, so it has the same process id.
    const pid = child.pid ?? 0;
    const access = await waitUntilReady(stored, LISTEN_TIMEOUT_MS, hasEnded);
    if (access) return { pid, access };
    await endServer(pid, plan);
    const printed = (await readFile(plan.logFile)).subarray(logged.size).toString();
    if (attempt === MAX_ATTEMPTS || !STILL_CLOSING.test(printed)) throw translateOutput(printed, plan.cluster);
    await sleep(1_000);
  }
}

/** Detached: Ctrl-C in a terminal reaches only the application, which stops the server last. */
function spawnServer({ account, bin, cluster, logFile }: ServerPlan): ChildProcess {
  const { command, args, options } = commandOf(account, join(bin, 'postgres'), ['-D', cluster]);
  const output = openSync(logFile, 'a', 0o600);
  const child = spawn(command, args, { ...options, detached: true, cwd: cluster, stdio: ['ignore', output, output] });
  closeSync(output);
  child.on('error', (error) => appendFileSync(logFile, error.message));
  child.unref();
  return child;
}

/** From gentle to forced, with the time to wait: PostgreSQL manual, "Shutting Down the Server". */
const STOPS = [
  { signal: 'SIGINT', mode: 'fast', timeoutMs: 20_000 },
  { signal: 'SIGQUIT', mode: 'immediate', timeoutMs: 5_000 },
  { signal: 'SIGKILL', mode: 'immediate', timeoutMs: 5_000 },
] as const;

/** Stops the server: open transactions are rolled back, and everything is written to disk. */
export async function endServer(pid: number, { account, bin, cluster }: ServerPlan): Promise<void> {
  for (const { signal, mode, timeoutMs } of STOPS) {
    if (pid <= 0 || !(await isRunning(pid))) return;
    // Windows has no signals.
    if (platform() !== 'win32') sendSignal(pid, signal);
    else await runProgram(account, join(bin, 'pg_ctl'), ['stop', '-D', cluster, '-m', mode, '-W']);
    const deadline = performance.now() + timeoutMs;
    while ((await isRunning(pid)) && performance.now() < deadline) await sleep(10);
  }
}

/** Returns false for a zombie: a process that has ended, but was not collected by its parent. */
export async function isRunning(pid: number): Promise<boolean> {
  if (!sendSignal(pid, 0)) return false;
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The state follows the name, which is in parentheses (proc_pid_stat(5)).
  return !state.slice(state.lastIndexOf(')')).startsWith(') Z');
}

/** Returns whether the process exists. Signal 0 only checks that. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
