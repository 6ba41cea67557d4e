import { readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { CURRENT_ACCOUNT, runProgram } from './os-account.ts';
import { endServer, isRunning, type ServerPlan } from './server.ts';

/** Stops the server that a killed process left running on the cluster. */
export async function stopLeftover(plan: ServerPlan): Promise<void> {
  const pid = await readPostmasterPid(plan.cluster);
  if (pid === null) return;
  if ((await isRunning(pid)) && (await servesCluster(pid, plan.cluster))) {
    plan.log.info('Stopping the PostgreSQL server that a killed process left running.');
    await endServer(pid, plan);
  } else await markPostmasterDead(plan.cluster);
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

/** Removes an empty file left by a crash. */
export async function readPostmasterPid(cluster: string): Promise<number | null> {
  const text = await readFile(fileIn(cluster), 'utf8').catch(() => null);
  if (text === null) return null;
  // The process id of a server in single-user mode is negative.
  const pid = Number(LEADING_NUMBER.exec(text)?.[1] ?? 0);
  if (pid > 0 && pid <= NO_PROCESS) return pid;
  await rm(fileIn(cluster));
  return null;
}

/** Keeps the rest, by which PostgreSQL finds remaining processes of the dead server. */
export async function markPostmasterDead(cluster: string): Promise<void> {
  const text = await readFile(fileIn(cluster), 'utf8');
  await writeFile(fileIn(cluster), text.replace(LEADING_NUMBER, String(NO_PROCESS)));
}
