import type { Executor } from '#server/db/database.ts';
import { listAccountsOfFunnel } from './accounts.repo.ts';

export interface Colleague {
  id: number;
  username: string;
}

/** The enabled accounts that see a funnel, by name. */
export const listColleagues = (db: Executor, funnelId: number): Promise<Colleague[]> =>
  listAccountsOfFunnel(db, funnelId);
