/** The target for the ratio. */
export type Aim = { atLeast: number } | { atMost: number };

/** One measured figure with the baseline of the same run. */
export interface BenchRow {
  name: string;
  ours: number;
  baseline: number;
  unit: string;
  /** `ours / baseline`, or the median ratio of several runs. */
  ratio: number;
  /** Null for a figure without a target. */
  aim: Aim | null;
  met: boolean;
}

/** Completes a row: computes the ratio unless one is given, and whether the aim is met. */
export function benchRow(measured: Omit<BenchRow, 'ratio' | 'met'> & { ratio?: number }): BenchRow {
  const ratio = measured.ratio ?? measured.ours / measured.baseline;
  return { ...measured, ratio, met: meets(ratio, measured.aim) };
}

interface RoundValues {
  name: string;
  /** One value for each round. */
  ours: readonly number[];
  /** The values of the same rounds. */
  baseline: readonly number[];
  unit: string;
  aim: Aim | null;
}

/** The ratio is the median of the rounds' ratios: other load affects both values of a round. */
export const rowOfRounds = ({ ours, baseline, ...row }: RoundValues): BenchRow =>
  benchRow({
    ...row,
    ours: median(ours),
    baseline: median(baseline),
    ratio: median(ours.map((value, round) => value / (baseline[round] ?? Number.NaN))),
  });

/** A figure that must not exceed a limit. */
export const limitRow = ({ name, ours, limit, unit }: { name: string; ours: number; limit: number; unit: string }) =>
  benchRow({ name: `${name}, against the limit`, ours, baseline: limit, unit, aim: { atMost: 1 } });

function meets(ratio: number, aim: Aim | null): boolean {
  if (aim === null) return true;
  return 'atLeast' in aim ? ratio >= aim.atLeast : ratio <= aim.atMost;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new Error('median of an empty list');
  return (low + high) / 2;
}

/** Returns the smallest value that is not exceeded by `share` (0 to 1) of all values. */
export function percentile(values: readonly number[], share: number): number {
  const value = values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)];
  if (value === undefined) throw new Error('percentile of an empty list');
  return value;
}

export function printRows(rows: readonly BenchRow[]): void {
  const cells = rows.map((row) => [
    row.name,
    `${short(row.ours)} ${row.unit}`,
    `${short(row.baseline)} ${row.unit}`,
    row.ratio.toFixed(2),
    aimText(row.aim),
    row.aim === null ? '' : row.met ? 'met' : 'MISSED',
  ]);
  const table = [['', 'ours', 'baseline', 'ratio', 'aim', ''], ...cells];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? [];
  for (const line of table) {
    console.log(
      line
        .map((cell, column) => (column ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[0] ?? 0)))
        .join('  '),
    );
  }
}

const short = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString());

function aimText(aim: Aim | null): string {
  if (aim === null) return '';
  return 'atLeast' in aim ? `>= ${aim.atLeast}` : `<= ${aim.atMost}`;
}
