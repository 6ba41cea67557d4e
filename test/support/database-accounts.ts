import { chown, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { listFunnels } from '#contracts/funnels.ts';
import { findPostmasterPid } from './embedded-server.ts';
import type { ProductProcess } from './start-process.ts';

/** A folder that only this account can enter, in another such folder. */
export async function closedFolder(uid: number): Promise<string> {
  const around = await mkdtemp(join(tmpdir(), 'interviews-accounts-'));
  onTestFinished(() => rm(around, { recursive: true, force: true }));
  const folder = join(around, 'data');
  await mkdir(folder, { mode: 0o700 });
  for (const path of [around, folder]) await chown(path, uid, uid);
  return folder;
}

/**
 * The processes of the product's database. None is root inside its namespace: PostgreSQL refuses
 * that.
 */
export async function serverProcesses(product: ProductProcess, dataDir: string): Promise<number[]> {
  expect(await product.call(listFunnels, {})).toEqual([]);
  const first = await findPostmasterPid(dataDir);
  const pids = [first, ...(await childrenOf(first))];
  expect(pids.length).toBeGreaterThan(3);
  // A short-lived process may have ended in the meantime.
  const ids = (await Promise.all(pids.map(idsOf))).filter((found) => found !== null);
  expect(ids.map(({ inside }) => inside)).not.toContain(0);
  return pids;
}

/** Whether the database runs in its own user namespace. */
export async function isInNamespace(product: ProductProcess, [first]: number[]): Promise<boolean> {
  const namespaceOf = (pid: number | undefined) => readlink(`/proc/${pid}/ns/user`);
  return (await namespaceOf(first)) !== (await namespaceOf(product.pid));
}

/** Every account that owns a file in the folder. */
export async function ownersBelow(folder: string): Promise<number[]> {
  const paths = (await readdir(folder, { recursive: true })).map((path) => join(folder, path));
  const stats = await Promise.all([folder, ...paths].map((path) => stat(path).catch(() => null)));
  return [...new Set(stats.flatMap((found) => found?.uid ?? []))];
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const parents = await Promise.all(pids.map(async (pid) => Number((await statusOf(pid, 'PPid'))[0])));
  return pids.filter((_, index) => parents[index] === parent);
}

/**
 * The user id of a process inside its namespace and outside (user_namespaces(7)); null when it has
 * ended.
 */
export async function idsOf(pid: number): Promise<{ inside: number; outside: number } | null> {
  const [uid] = await statusOf(pid, 'Uid');
  if (uid === undefined) return null;
  const outside = Number(uid);
  const map = (await readFile(`/proc/${pid}/uid_map`, 'utf8').catch(() => '')).trim().split('\n');
  for (const line of map) {
    const [inside = 0, start = 0, count = 0] = line.trim().split(/\s+/).map(Number);
    if (outside >= start && outside < start + count) return { inside: inside + outside - start, outside };
  }
  return null;
}

async function statusOf(pid: number, field: string): Promise<string[]> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const line = status.split('\n').find((each) => each.startsWith(`${field}:`));
  return line?.split(/\s+/).slice(1) ?? [];
}
