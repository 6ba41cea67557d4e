import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Services, startServices } from './publish/services.ts';
import { Uploader, type UploadTask } from './publish/uploader.ts';
import { type BenchRow, benchRow, limitRow, median, printRows, rowOfRounds } from './row.ts';
import { sized } from './scale.ts';

const LARGE_MB = Number(process.env.BENCH_PUBLISH_MB ?? sized(500, 20));
const SMALL_MB = LARGE_MB / 10;
const ROUNDS = sized(7, 1);
const MEMORY_ROUNDS = sized(5, 1);
const MEGABYTE = 1_000_000;
const MEMORY_LIMIT_MB = 150;

interface Videos {
  large: UploadTask;
  small: UploadTask;
}

/** Uploads of our YouTube adapter compared with a bare PUT of the same file to the same sandbox. */
export async function run(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-publish-'));
  let services: Services | null = null;
  try {
    services = await startServices();
    const task = { folder, variables: services.variables };
    const videos = { large: { ...task, name: 'large.mp4' }, small: { ...task, name: 'small.mp4' } };
    await mkdir(join(folder, 'videos'));
    await writeVideo(videos.large, LARGE_MB);
    await writeVideo(videos.small, SMALL_MB);
    return [...(await throughputRows(videos)), ...(await memoryRows(videos))];
  } finally {
    await services?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A sparse file, so that the disk is not measured. */
async function writeVideo({ folder, name }: UploadTask, sizeMb: number): Promise<void> {
  const file = await open(join(folder, 'videos', name), 'w');
  await file.truncate(Math.round(sizeMb * MEGABYTE));
  await file.close();
}

/** The two alternate, so that other load on the machine affects them alike. */
async function throughputRows({ large, small }: Videos): Promise<BenchRow[]> {
  const [ours, bare] = [await warm('ours', small), await warm('bare', small)];
  const mbPerSecond = { ours: [] as number[], bare: [] as number[] };
  try {
    const before = [await ours.cpuSeconds(), await bare.cpuSeconds()];
    for (let round = 0; round < ROUNDS; round += 1) {
      mbPerSecond.bare.push((LARGE_MB / (await bare.upload(large))) * 1_000);
      mbPerSecond.ours.push((LARGE_MB / (await ours.upload(large))) * 1_000);
    }
    const after = [await ours.cpuSeconds(), await bare.cpuSeconds()];
    const [used, usedBare] = after.map((seconds, which) => ((seconds ?? 0) - (before[which] ?? 0)) / ROUNDS);
    return [throughputRow(mbPerSecond), ...(used && usedBare ? [cpuRow(used, usedBare)] : [])];
  } finally {
    await Promise.all([ours.stop(), bare.stop()]);
  }
}

async function warm(how: 'ours' | 'bare', video: UploadTask): Promise<Uploader> {
  const uploader = new Uploader(how);
  await uploader.upload(video);
  return uploader;
}

const throughputRow = ({ ours, bare }: Record<'ours' | 'bare', number[]>): BenchRow =>
  rowOfRounds({
    name: `upload of ${LARGE_MB} MB, against a bare PUT`,
    ours,
    baseline: bare,
    unit: 'MB/s',
    aim: { atLeast: 0.9 },
  });

/** The sandbox is slower than either client; processor time shows the cost of sending alone. */
const cpuRow = (ours: number, baseline: number): BenchRow =>
  benchRow({ name: 'processor time of the sending process', ours, baseline, unit: 's', aim: null });

async function memoryRows({ large, small }: Videos): Promise<BenchRow[]> {
  const growth = { large: [] as number[], small: [] as number[], bare: [] as number[] };
  for (let round = 0; round < MEMORY_ROUNDS; round += 1) {
    growth.small.push(await growthMb('ours', small));
    growth.large.push(await growthMb('ours', large));
    growth.bare.push(await growthMb('bare', large));
  }
  const unit = 'MB';
  const ours = median(growth.large);
  return [
    limitRow({
      name: 'memory growth of a fresh process',
      ours: Math.max(...growth.large),
      limit: MEMORY_LIMIT_MB,
      unit,
    }),
    benchRow({
      name: `memory growth, ${LARGE_MB} MB against ${SMALL_MB} MB`,
      ours,
      baseline: median(growth.small),
      unit,
      // The growth is about ten MB, of which a few are noise.
      aim: { atMost: 1.5 },
    }),
    benchRow({ name: 'memory growth, against a bare PUT', ours, baseline: median(growth.bare), unit, aim: null }),
  ];
}

async function growthMb(how: 'ours' | 'bare', task: UploadTask): Promise<number> {
  const uploader = new Uploader(how);
  try {
    return await uploader.growthMb(task);
  } finally {
    await uploader.stop();
  }
}

if (import.meta.main) printRows(await run());
