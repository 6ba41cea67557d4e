import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { migrate } from '#server/db/migrate.ts';
import { type BenchRow, benchRow, median, printRows } from './row.ts';
import { sized } from './scale.ts';
import { Child } from './session/child.ts';
import type { Load, LoadDone } from './session/load.ts';
import type { CpuSpent, ServerReady } from './session/server.ts';

const ROUNDS = sized(15, 1);
const MILLISECONDS = sized(600, 50);
const CONNECTIONS = 16;
const AIM = { atLeast: 0.8 };

type Target = Pick<Load, 'port' | 'path' | 'cookie'>;
const SIDES = ['guarded', 'unguarded', 'querying'] as const;
type Side = (typeof SIDES)[number];
interface Speed {
  perSecond: number;
  /** Requests per second of processor time, which other load on the machine affects less. */
  perCpuSecond: number;
}

/**
 * The cost of a session: `GET /api/user` of a signed-in user compared with the same handler on an
 * open route. It is the smallest answer, so the guard has its largest share. For comparison, the
 * same with a database query per request.
 */
export async function run(): Promise<BenchRow[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-session-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info: () => {} } });
  try {
    await migrate(postgres.ownerUrl);
    const server = new Child('./server.ts', postgres.ownerUrl);
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

/** The sides alternate in every round, and so does their order. */
async function measure(server: Child, client: Child): Promise<Record<Side, Speed[]>> {
  const { port, uncachedPort, unguardedPath, cookie } = await server.receive<ServerReady>();
  const targets: Record<Side, Target> = {
    guarded: { port, path: '/api/user', cookie },
    unguarded: { port, path: unguardedPath },
    querying: { port: uncachedPort, path: '/api/user', cookie },
  };
  const speeds: Record<Side, Speed[]> = { guarded: [], unguarded: [], querying: [] };
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
  row('with a database query each, against unguarded', 'perSecond', speeds.querying, speeds.unguarded, null),
];

function row(name: string, by: keyof Speed, ours: Speed[], baseline: Speed[], aim: BenchRow['aim']): BenchRow {
  const [a, b] = [ours.map((speed) => speed[by]), baseline.map((speed) => speed[by])];
  const ratio = median(a.map((value, round) => value / (b[round] ?? Number.NaN)));
  return benchRow({ name, ours: median(a), baseline: median(b), unit: '/s', ratio, aim });
}

if (import.meta.main) printRows(await run());
