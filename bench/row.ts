/** The target for the ratio. */
export type Aim = { atLeast: number } | { atMost: number };

/** One measured figure with the baseline of the same run. */
export interface BenchRow {
  name: string;
  ours: number;
  baseline: number;
  unit: string;
  /** `ours / baseline`, or the median ratio of several rounds. */
  ratio: number;
  /** Null for a figure without a target. */
  aim: Aim | null;
  met: boolean;
}

interface Figures<Value> {
  name: string;
  ours: Value;
  baseline: Value;
  /** Default: ms. */
  unit?: string;
  aim?: Aim | null;
}

/** Completes a row: the median of several values, the ratio, and whether the aim is met. */
export function benchRow({
  name,
  unit = 'ms',
  aim = null,
  ...values
}: Figures<number | readonly number[]> & { ratio?: number }): BenchRow {
  const [ours, baseline] = [median([values.ours].flat()), median([values.baseline].flat())];
  const ratio = values.ratio ?? ours / baseline;
  const met = aim === null || ('atLeast' in aim ? ratio >= aim.atLeast : ratio <= aim.atMost);
  return { name, ours, baseline, unit, ratio, aim, met };
}

/** The ratio is the median of the rounds' ratios: other load affects both values of a round. */
export const rowOfRounds = (row: Figures<readonly number[]>): BenchRow =>
  benchRow({ ...row, ratio: median(row.ours.map((value, round) => value / (row.baseline[round] ?? Number.NaN))) });

/** A figure that must not exceed a limit. */
export const limitRow = ({ name, limit, ...row }: Omit<Figures<number>, 'baseline'> & { limit: number }): BenchRow =>
  benchRow({ ...row, name: `${name}, against the limit`, baseline: limit, aim: { atMost: 1 } });

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
  const lines = rows.map(({ name, ours, baseline, unit, ratio, aim, met }) => {
    const bound = aim && ('atLeast' in aim ? `>= ${aim.atLeast}` : `<= ${aim.atMost}`);
    const judged = bound ? [bound, met ? 'met' : 'MISSED'] : ['', ''];
    return [`${short(ours)} ${unit}`, `${short(baseline)} ${unit}`, ratio.toFixed(2), ...judged, name];
  });
  printColumns([['ours', 'baseline', 'ratio', 'aim', '', 'benchmark'], ...lines]);
}

/** Aligns all columns to the right, except the last one. */
export function printColumns(lines: readonly (readonly string[])[]): void {
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0))) ?? [];
  for (const cells of lines)
    console.log(
      `  ${cells.map((cell, at) => cell.padStart(at < cells.length - 1 ? (widths[at] ?? 0) : 0)).join('  ')}`,
    );
}

const short = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString());
