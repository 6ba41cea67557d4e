import { MAX_UNFINISHED_UPLOADS } from '#contracts/rules/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Executor } from '#server/db/database.ts';
import { countUnfinished, lockNewUploads, sumPromisedBytes } from './uploads.repo.ts';

/** Limits of the bytes that unfinished uploads promise. One upload may always exceed them. */
export interface UploadBudget {
  perAccount: number;
  inAll: number;
}

/** Uploads of all accounts take the space. */
export class NoRoomError extends AppError {}

/** Above this share of the promised budget, uploads that are idle for a day are deleted. */
const SHORT_SHARE = 0.9;

/**
 * Keeps other uploads from being created until the transaction ends.
 * @param room the bytes that the store may still take; null without a limit
 * @throws AppError conflict when the number or the size of unfinished uploads would exceed a limit
 */
export async function expectBudget(
  tx: Executor,
  { accountId, size }: { accountId: number; size: number },
  { budget, room }: { budget: UploadBudget; room: number | null },
): Promise<void> {
  await lockNewUploads(tx);
  if ((await countUnfinished(tx, accountId)) >= MAX_UNFINISHED_UPLOADS)
    throw new AppError(
      'conflict',
      `You have ${MAX_UNFINISHED_UPLOADS} unfinished uploads. Finish or cancel some of them first.`,
    );
  const { ofAccount, inAll, missing } = await sumPromisedBytes(tx, accountId);
  if (ofAccount > 0 && ofAccount + size > budget.perAccount)
    throw new AppError(
      'conflict',
      `Your unfinished uploads may have ${gigabytes(budget.perAccount)} in all. Finish or cancel some of them first.`,
    );
  if (inAll > 0 && inAll + size > budget.inAll)
    throw new NoRoomError(
      'conflict',
      `The unfinished uploads of all users already take ${gigabytes(inAll)} of ${gigabytes(budget.inAll)}. Try again when some have ended.`,
    );
  if (room !== null && missing + size > room)
    throw new NoRoomError(
      'conflict',
      `There isn't enough space for this file (${gigabytes(size)}). Try again later, or ask an administrator to free space.`,
    );
}

/** True when idle uploads should make room for others. */
export async function isSpaceShort(
  db: Executor,
  neededBytes: number,
  { budget, room }: { budget: UploadBudget; room: number | null },
): Promise<boolean> {
  const { inAll, missing } = await sumPromisedBytes(db, 0);
  return inAll + neededBytes > budget.inAll * SHORT_SHARE || (room !== null && missing + neededBytes >= room);
}

const gigabytes = (bytes: number) => `${(bytes / 2 ** 30).toLocaleString('en-US', { maximumFractionDigits: 1 })} GB`;
