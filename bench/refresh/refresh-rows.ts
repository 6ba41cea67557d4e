import { type Aim, type BenchRow, benchRow, median } from '../row.ts';
import type { RefreshProduct } from './refresh-product.ts';
import type { SandboxProcess } from './sandbox-process.ts';

/** @throws Error if a refresh without changes writes a row or downloads a file */
export async function refreshUnchanged(sandbox: SandboxProcess, product: RefreshProduct): Promise<number> {
  await sandbox.countFileRequests();
  const before = await product.versions();
  const took = await product.refresh();
  const files = await sandbox.countFileRequests();
  if (files > 0) throw new Error(`A refresh with nothing changed downloaded ${files} files.`);
  if ((await product.versions()) !== before) throw new Error('A refresh with nothing changed wrote rows.');
  return took;
}

/** The ratio is the median of the rounds' ratios. */
export function ratioRow(name: string, ours: number[], bare: number[], aim: Aim | null): BenchRow {
  const ratio = median(ours.map((ms, round) => ms / (bare[round] ?? Number.NaN)));
  return benchRow({ name, ours: median(ours), baseline: median(bare), unit: 'ms', ratio, aim });
}
