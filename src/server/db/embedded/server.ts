import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { platform } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Access } from './access.ts';
import { freePort } from './access.ts';

import { writeSettings } from './cluster.ts';
import { explain } from './embedded-postgres-error.ts';
import type { LogFile } from './log-file.ts';
import { readPostmasterFile, saysReady } from './postmaster-file.ts';
import { isRunning } from './process-state.ts';
import type { Programs } from './programs.ts';
import { RECOVERY_TIMEOUT_MS, waitUntilReady } from './readiness.ts';
import { type Account, BARE_ENVIRONMENT, runProgram } from './run-program.ts';
import type { ServerSettings } from './settings.ts';
import { until } from './until.ts';

/** Everything that starting a server needs to know. */
export interface ServerPlan {
  account: Account;
  programs: Programs;
  cluster: string;
  settings: ServerSettings;
  logFile: LogFile;
}

const ATTEMPTS = 5;
const LISTEN_PATIENCE_MS = 30_000;
const LOOK_MS = 3;
const PORT_TAKEN = /Address already in use|could not create any TCP\/IP sockets/i;
/** Processes of a server that was killed notice its death within seconds, and hold its shared memory until then. */
const STILL_CLOSING = /pre-existing shared memory block/i;
const CLOSING_MS = 1_000;

export interface Launch {
  /** This database ran before, with this access: the server's own word that it is ready is enough. */
  isKnown?: boolean;
  /** Called when the server is on its way. */
  whileStarting?: (() => void) | undefined;
}

/** Starts the server and waits until it answers; its process id and the port it got. */
export async function launchServer(
  plan: ServerPlan,
  access: Access,
  { isKnown = false, whileStarting }: Launch = {},
): Promise<{ pid: number; port: number }> {
  // Of a port that is taken PostgreSQL says so itself; only where it is asked could somebody else answer.
  let port = isKnown ? access.port : await freePort(access.port);
  let printed = '';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await writeSettings(plan.account, plan.cluster, { ...plan.settings, port });
    const child = spawnServer(plan);
    whileStarting?.();
    const isReady = isKnown ? saysItIsReady(child, plan) : answers(child, { ...access, port });
    if (await isReady) return { pid: await serverPid(child, plan.cluster), port };
    await endServer(await serverPid(child, plan.cluster), plan);
    printed = plan.logFile.printed();
    if (PORT_TAKEN.test(printed)) port = await freePort();
    else if (STILL_CLOSING.test(printed)) await pause(CLOSING_MS);
    else break;
  }
  throw explain(printed, plan.cluster);
}

/** Connects until the server answers; false when it ends instead, or answers somebody else. */
const answers = async (child: ChildProcess, access: Access): Promise<boolean> =>
  (await waitUntilReady(access, LISTEN_PATIENCE_MS, () => hasEnded(child))) !== null;

/** Waits until the server's file says that it takes connections: no connection is made and ended for that. False when it ends instead. */
async function saysItIsReady(child: ChildProcess, { cluster }: ServerPlan): Promise<boolean> {
  const look = async () => {
    if (hasEnded(child)) return 'ended';
    return (await saysReady(cluster, child.pid ?? 0)) ? 'ready' : null;
  };
  return (await until(look, { timeoutMs: RECOVERY_TIMEOUT_MS, everyMs: LOOK_MS })) === 'ready';
}

/**
 * In a session of its own, so that Ctrl-C in a terminal reaches the application only, which stops the server last.
 * Windows needs `pg_ctl` for that, and to run it without an administrator's rights.
 */
function spawnServer({ account, programs, cluster, logFile }: ServerPlan): ChildProcess {
  const viaControl = platform() === 'win32';
  const { command, args, ids } = viaControl
    ? account.wrap(programs.path('pg_ctl'), ['start', '--no-wait', '-D', cluster])
    : account.wrap(programs.path('postgres'), ['-D', cluster]);
  const output = logFile.open();
  const child = spawn(command, args, {
    ...ids,
    detached: true,
    windowsHide: true,
    cwd: cluster,
    env: BARE_ENVIRONMENT,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  child.on('error', (error) => logFile.write(error.message));
  child.unref();
  return child;
}

/** `pg_ctl` ends at once with 0 when all is well; the server itself never does. */
const hasEnded = (child: ChildProcess) =>
  child.pid === undefined ||
  child.signalCode !== null ||
  (child.exitCode !== null && (platform() !== 'win32' || child.exitCode !== 0));

/** `unshare` becomes the server, so its id is the server's. Zero when nothing was started. */
const serverPid = async (child: ChildProcess, cluster: string): Promise<number> =>
  (platform() === 'win32' ? (await readPostmasterFile(cluster))?.pid : child.pid) ?? 0;

/** How PostgreSQL is asked to stop, each step harder than the one before: its documentation, "Shutting Down the Server". */
const STOPS = [
  { signal: 'SIGINT', mode: 'fast', waitMs: 20_000 },
  { signal: 'SIGQUIT', mode: 'immediate', waitMs: 5_000 },
  { signal: 'SIGKILL', mode: 'immediate', waitMs: 5_000 },
] as const;

/** Stops the server in order: open transactions are rolled back, and everything is written to disk. */
export async function endServer(pid: number, { account, programs, cluster }: ServerPlan): Promise<void> {
  if (pid <= 0) return;
  for (const { signal, mode, waitMs } of STOPS) {
    if (!(await isRunning(pid))) return;
    if (platform() !== 'win32') signalServer(pid, signal);
    else await runProgram(account, programs.path('pg_ctl'), ['stop', '-D', cluster, '-m', mode, '-W']);
    const ended = async () => ((await isRunning(pid)) ? null : true);
    if (await until(ended, { timeoutMs: waitMs })) return;
  }
}

function signalServer(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended between the question and the signal.
  }
}
