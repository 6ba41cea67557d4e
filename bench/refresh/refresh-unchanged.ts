import type { Timeframe } from '#contracts/sync.ts';
import type { RefreshProduct } from './refresh-product.ts';
import type { SandboxProcess } from './sandbox-process.ts';

/** Refreshes again. Returns milliseconds. @throws Error if it writes a row or downloads a file */
export async function refreshUnchanged(
  sandbox: SandboxProcess,
  product: RefreshProduct,
  timeframe?: Timeframe,
): Promise<number> {
  await sandbox.countFileRequests();
  const before = await product.versions();
  const took = await product.refresh(timeframe);
  const files = await sandbox.countFileRequests();
  if (files > 0) throw new Error(`A refresh with nothing changed downloaded ${files} files.`);
  if ((await product.versions()) !== before) throw new Error('A refresh with nothing changed wrote rows.');
  return took;
}
