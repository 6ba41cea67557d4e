import { readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { type Access, waitUntilReady } from './access.ts';
import { CURRENT_ACCOUNT, runProgram } from './os-account.ts';
import { endServer, isRunning, type LaunchedServer, type ServerPlan } from './server.ts';

/** A server that is shutting down closes its port before it ends. */
const SILENCE_TIMEOUT_MS = 2_000;

/** Returns the server that a killed process left running, or stops it when it cannot be used. */
export async function adoptLeftover(plan: ServerPlan, access: Access): Promise<LaunchedServer | null> {
  const left = await readPostmasterFile(plan.cluster);
  if (!left) return null;
  if (!(await isRunning(left.pid)) || !(await servesCluster(left.pid, plan.cluster))) {
    await markPostmasterDead(plan.cluster);
    return null;
  }
  // It is usable with our password, our files, and the settings of this release.
  const server =
    left.port > 0 && (await waitUntilReady({ ...access, port: left.port }, SILENCE_TIMEOUT_MS).catch(() => null));
  const folder = server && (await realpath(server.dataDirectory).catch(() => ''));
  if (server && folder === plan.cluster && server.clusterName === plan.settings.cluster_name)
    return { pid: left.pid, access: server.access };
  await endServer(left.pid, plan);
  return null;
}

/** Whether the process is a server on the cluster, and not another program with the same id. */
async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  if (platform() === 'linux') return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === cluster;
  const list = (command: string, ...args: string[]) => runProgram(CURRENT_ACCOUNT, command, args);
  return platform() === 'win32'
    ? (await list('tasklist', '/FI', `PID eq ${pid}`, '/NH')).printed.includes('postgres.exe')
    : (await list('ps', '-p', String(pid), '-o', 'args=')).printed.includes(cluster);
}

const LEADING_NUMBER = /^-?(\d+)/;
/** Larger than any process id. */
const NO_PROCESS = 2 ** 31 - 1;

/** The file that a running server writes about itself. */
const fileIn = (cluster: string) => join(cluster, 'postmaster.pid');

/** Removes an empty file left by a crash. For the line numbers, see PostgreSQL's `miscadmin.h`. */
export async function readPostmasterFile(cluster: string): Promise<{ pid: number; port: number } | null> {
  const text = await readFile(fileIn(cluster), 'utf8').catch(() => null);
  if (text === null) return null;
  // The process id of a server in single-user mode is negative.
  const [pid = 0, , , port = 0] = text.split('\n').map((line) => Number(LEADING_NUMBER.exec(line)?.[1] ?? 0));
  if (pid > 0 && pid <= NO_PROCESS) return { pid, port: port <= 65_535 ? port : 0 };
  await rm(fileIn(cluster));
  return null;
}

/** Keeps the rest, by which PostgreSQL finds remaining processes of the dead server. */
export async function markPostmasterDead(cluster: string): Promise<void> {
  const text = await readFile(fileIn(cluster), 'utf8');
  await writeFile(fileIn(cluster), text.replace(LEADING_NUMBER, String(NO_PROCESS)));
}
