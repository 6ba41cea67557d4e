import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { migrate } from '#server/db/migrate.ts';
import { type BenchRow, benchRow, median, printRows } from './row.ts';
import { Child } from './session/child.ts';
import type { Load, LoadDone } from './session/load.ts';
import type { CpuSpent, ServerReady } from './session/server.ts';

const ROUNDS = 15;
const MILLISECONDS = 600;
const CONNECTIONS = 16;
const AIM = { atLeast: 0.8 };

type Target = Pick<Load, 'port' | 'path' | 'cookie'>;
const SIDES = ['guarded', 'unguarded', 'asking'] as const;
type Side = (typeof SIDES)[number];
interface Speed {
  perSecond: number;
  /** What the server could serve if it had a processor for itself: less shaken by what else the machine does. */
  perCpuSecond: number;
}

/**
 * What a session costs: `GET /api/user` of a signed-in user against the same handler on an open route and without a cookie, the
 * smallest answer there is, so that the guard weighs most. Beside it the same with a look-up in the database for each request.
 */
export async function run(): Promise<BenchRow[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-session-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info: () => {} } });
  try {
    await migrate(postgres.connectionString);
    const server = new Child('./server.ts', postgres.connectionString);
    const client = new Child('./load.ts');
    try {
      return rowsOf(await measure(server, client));
    } finally {
      await Promise.all([client.stop(), server.stop()]);
    }
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The sides take turns in every round, in an order that turns too. */
async function measure(server: Child, client: Child): Promise<Record<Side, Speed[]>> {
  const { port, deafPort, unguardedPath, cookie } = await server.hear<ServerReady>();
  const targets: Record<Side, Target> = {
    guarded: { port, path: '/api/user', cookie },
    unguarded: { port, path: unguardedPath },
    asking: { port: deafPort, path: '/api/user', cookie },
  };
  const speeds: Record<Side, Speed[]> = { guarded: [], unguarded: [], asking: [] };
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
      const speed = await speedOf(server, client, targets[side]);
      // The first rounds warm up.
      if (round >= 0) speeds[side].push(speed);
    }
  }
  return speeds;
}

async function speedOf(server: Child, client: Child, target: Target): Promise<Speed> {
  const before = await server.ask<CpuSpent>({});
  const load: Load = { ...target, connections: CONNECTIONS, milliseconds: MILLISECONDS };
  const { requests, milliseconds } = await client.ask<LoadDone>(load);
  const after = await server.ask<CpuSpent>({});
  return {
    perSecond: (requests / milliseconds) * 1_000,
    perCpuSecond: (requests / (after.cpuMs - before.cpuMs)) * 1_000,
  };
}

const rowsOf = (speeds: Record<Side, Speed[]>): BenchRow[] => [
  row('signed in, requests a second, against unguarded', 'perSecond', speeds.guarded, speeds.unguarded, AIM),
  row(
    'signed in, requests a processor second, against unguarded',
    'perCpuSecond',
    speeds.guarded,
    speeds.unguarded,
    AIM,
  ),
  row('with a look-up in the database each, against unguarded', 'perSecond', speeds.asking, speeds.unguarded, null),
];

function row(name: string, by: keyof Speed, ours: Speed[], baseline: Speed[], aim: BenchRow['aim']): BenchRow {
  const [a, b] = [ours.map((speed) => speed[by]), baseline.map((speed) => speed[by])];
  const ratio = median(a.map((value, round) => value / (b[round] ?? Number.NaN)));
  return benchRow({ name, ours: median(a), baseline: median(b), unit: '/s', ratio, aim });
}

if (import.meta.main) printRows(await run());
