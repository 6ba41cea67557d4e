import { realpath } from 'node:fs/promises';
import type { Access } from './access.ts';
import { markPostmasterDead, readPostmasterFile } from './postmaster-file.ts';
import { isRunning, servesCluster } from './process-state.ts';
import { waitUntilReady } from './readiness.ts';
import { endServer, type ServerPlan } from './server.ts';
import { clusterName } from './settings.ts';

/** A server that was shutting down when we came may close its port before it ends. */
const SILENCE_MS = 2_000;

/**
 * Deals with what a killed process left behind. A healthy server of ours is taken over; any other one on our files is stopped;
 * what a dead one held is left for PostgreSQL to judge.
 */
export async function takeOverLeftover(
  plan: ServerPlan,
  access: Access,
): Promise<{ pid: number; port: number } | null> {
  const left = await readPostmasterFile(plan.cluster);
  if (!left) return null;
  if (!(await isRunning(left.pid)) || !(await servesCluster(left.pid, plan.cluster))) {
    await markPostmasterDead(plan.cluster);
    return null;
  }
  if (await isOurs(plan, { ...access, port: left.port })) return left;
  await endServer(left.pid, plan);
  return null;
}

/** It knows our password, serves our files, and runs with the settings of this release. */
async function isOurs({ cluster, settings }: ServerPlan, access: Access): Promise<boolean> {
  if (access.port <= 0) return false;
  const server = await waitUntilReady(access, SILENCE_MS).catch(() => null);
  if (server?.clusterName !== clusterName(settings)) return false;
  return (await realpath(server.dataDirectory).catch(() => '')) === cluster;
}
