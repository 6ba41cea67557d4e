import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#server/db/embedded/start-embedded-postgres.ts';
import { migrate } from '#server/db/migrate.ts';
import { Child } from './child.ts';
import { type BenchRow, printRows, rowOfRounds } from './row.ts';
import { sized } from './scale.ts';
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
    const server = new Child(new URL('./session/server.ts', import.meta.url), postgres.ownerUrl);
    const client = new Child(new URL('./session/load.ts', import.meta.url));
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

function rowsOf(speeds: Record<Side, Speed[]>): BenchRow[] {
  const valuesOf = (side: Side, by: keyof Speed) => speeds[side].map((speed) => speed[by]);
  const sidesBy = (by: keyof Speed, side: Side) => ({
    ours: valuesOf(side, by),
    baseline: valuesOf('unguarded', by),
    unit: '/s',
  });
  return [
    rowOfRounds({
      name: 'signed in, requests a second, against unguarded',
      ...sidesBy('perSecond', 'guarded'),
      aim: AIM,
    }),
    rowOfRounds({
      name: 'signed in, requests a processor second, against unguarded',
      ...sidesBy('perCpuSecond', 'guarded'),
      aim: AIM,
    }),
    rowOfRounds({
      name: 'with a database query each, against unguarded',
      ...sidesBy('perSecond', 'querying'),
      aim: null,
    }),
  ];
}

if (import.meta.main) printRows(await run());
