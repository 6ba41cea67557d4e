import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceInterview } from '#sandbox/interview.ts';
import { bareEngines } from './pipeline/bare-engines.ts';
import { type Growth, growthOf, type LongRecording } from './pipeline/long-recordings.ts';
import { type ProcessingProduct, startProcessingProduct } from './pipeline/processing-product.ts';
import { type Services, startServices } from './publish/services.ts';
import type { FunnelAccess } from './refresh/sandbox-process.ts';
import { type BenchRow, benchRow, limitRow, median, printRows, rowOfRounds } from './row.ts';
import { sized } from './scale.ts';

/** Response time of an engine for one transcript or one summary. */
const ENGINE_MS = sized(3_000, 100);
const SAMPLES = ['eng-slow-page.mp4', 'eng-mentoring.webm', 'nurse-family.mp4', 'warehouse-safe-shift.mp4'];
/** The videos of the interviews. */
const FILES = sized([...SAMPLES, ...SAMPLES], SAMPLES);
/** Steps of each kind at the same time; the product's default. */
const CONCURRENCY = 2;
const ROUNDS = sized(3, 1);
const AIM = { atMost: 1.05 };

const MEMORY_ROUNDS = sized(2, 1);
const MEMORY_LIMIT_MB = 100;
const minutes = sized({ short: 10, long: 120 }, { short: 1, long: 2 });
const RECORDINGS: LongRecording[] = [
  { container: 'mp4', sample: 'eng-slow-page.mp4', minutes },
  { container: 'webm', sample: 'eng-mentoring.webm', minutes },
];

interface Stage {
  services: Services;
  funnel: FunnelAccess;
}

/** Measures the time that the product adds to the engines', and its memory for long recordings. */
export async function run(): Promise<BenchRow[]> {
  const services = await startServices();
  try {
    const funnel = services.funnels[0];
    if (!funnel) throw new Error('The sandbox has no funnels.');
    await services.fill(funnel.funnelId, interviews());
    const stage = { services, funnel };
    // Before the engines are slowed down.
    const memory = await memoryRows(stage);
    return [...(await timeRows(stage)), ...memory];
  } finally {
    await services.stop();
  }
}

/** Interviews whose sound the simulated engines recognize. */
function interviews(): ServiceInterview[] {
  return FILES.map((file, index) => ({
    id: `iv_bench_${index}`,
    title: `Interview ${index}`,
    createdAt: new Date(Date.UTC(2026, 0, 1, 12, index)).toISOString(),
    videoUrl: `/media/videos/${file}`,
  }));
}

async function timeRows({ services, funnel }: Stage): Promise<BenchRow[]> {
  const product = await startProcessingProduct(services, funnel);
  try {
    // The first steps load modules, which is not measured.
    await timeOf(product, product.ids);
    for (const on of ['transcription', 'chat']) await services.fail({ kind: 'latency', ms: ENGINE_MS, on });
    const one = { ours: [] as number[], bare: [] as number[] };
    const all = { ours: [] as number[], bare: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      one.bare.push(await bareEngines(services.variables, FILES.slice(0, 1), CONCURRENCY));
      one.ours.push(await timeOf(product, product.ids.slice(0, 1)));
      all.bare.push(await bareEngines(services.variables, FILES, CONCURRENCY));
      all.ours.push(await timeOf(product, product.ids));
    }
    // Summaries overlap with the next transcripts; only the last summary adds its time.
    const ideal = ENGINE_MS * (FILES.length / CONCURRENCY + 1);
    return [
      timeRow('transcript and summary of one interview, against the bare engines', one),
      timeRow(`of ${FILES.length}, ${CONCURRENCY} at once`, all),
      benchRow({
        name: `of ${FILES.length}, against engines of ${ENGINE_MS} ms`,
        ours: median(all.ours),
        baseline: ideal,
        unit: 'ms',
        aim: null,
      }),
    ];
  } finally {
    await product.stop();
  }
}

async function timeOf(product: ProcessingProduct, ids: readonly string[]): Promise<number> {
  const took = await product.runStep('summarize', ids);
  await product.resetSteps();
  return took;
}

const timeRow = (name: string, { ours, bare }: Record<'ours' | 'bare', number[]>): BenchRow =>
  rowOfRounds({ name, ours, baseline: bare, unit: 'ms', aim: AIM });

async function memoryRows(stage: Stage): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-recordings-'));
  try {
    const rows = [];
    for (const recording of RECORDINGS) {
      const growths: Growth[] = [];
      for (let round = 0; round < MEMORY_ROUNDS; round += 1)
        growths.push(await growthOf(recording, { folder, ...stage }));
      rows.push(...growthRows(recording, growths));
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function growthRows({ container, minutes }: LongRecording, growths: readonly Growth[]): BenchRow[] {
  const unit = 'MB';
  const long = growths.map((growth) => growth.long);
  const short = growths.map((growth) => growth.short);
  return [
    limitRow({
      name: `memory growth, ${minutes.long} minutes of ${container}`,
      ours: Math.max(...long),
      limit: MEMORY_LIMIT_MB,
      unit,
    }),
    benchRow({
      name: `memory growth, against ${minutes.short} minutes`,
      ours: median(long),
      baseline: median(short),
      unit,
      aim: null,
    }),
  ];
}

if (import.meta.main) printRows(await run());
