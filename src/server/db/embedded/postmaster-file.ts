import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a running server writes about itself into its folder; line numbers from PostgreSQL's `miscadmin.h`. */
export interface PostmasterFile {
  pid: number;
  port: number;
}

const fileIn = (cluster: string) => join(cluster, 'postmaster.pid');

/** Null when there is none. One that a crash left without content is removed, since PostgreSQL would refuse to start. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | null> {
  const text = await readFile(fileIn(cluster), 'utf8').catch(() => null);
  if (text === null) return null;
  const [pid, , , port] = text.split('\n');
  const read = { pid: numberIn(pid, NOBODY), port: numberIn(port, 65_535) };
  if (read.pid > 0) return read;
  await rm(fileIn(cluster));
  return null;
}

/** Whether this server says that it takes connections: what `pg_ctl --wait` waits for, in the eighth line. */
export async function saysReady(cluster: string, pid: number): Promise<boolean> {
  const text = await readFile(fileIn(cluster), 'utf8').catch(() => '');
  const { 0: id, 7: state } = text.split('\n');
  return Number(id) === pid && state?.trim() === 'ready';
}

/** The number that a line begins with, or 0. The process id is negative while a server without connections is at work. */
function numberIn(line: string | undefined, most: number): number {
  const number = Number(LEADING.exec(line ?? '')?.[1] ?? 0);
  return number <= most ? number : 0;
}

/**
 * Says that the server of this file is dead. The file stays: it names the shared memory that PostgreSQL checks
 * before it starts, so that it never runs beside leftovers of the dead one.
 */
export async function markPostmasterDead(cluster: string): Promise<void> {
  const text = await readFile(fileIn(cluster), 'utf8');
  await writeFile(fileIn(cluster), text.replace(LEADING, String(NOBODY)));
}

const LEADING = /^-?(\d+)/;
/** Larger than any process id. */
const NOBODY = 2 ** 31 - 1;
