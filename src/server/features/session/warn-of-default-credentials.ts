import type { Database } from '../../db/database.ts';
import type { Logs } from '../logs/logs.service.ts';
import type { LoginHint } from './login-hint.ts';

/** Says in the log that everybody knows the way in, while it is so. Resolves with the same sentence for the console; else with null. */
export async function warnOfDefaultCredentials(db: Database, logs: Logs, hint: LoginHint): Promise<string | null> {
  const { defaultCredentials } = await hint.read();
  if (!defaultCredentials) return null;
  const { username, password } = defaultCredentials;
  const summary =
    `Others can reach this address, and the default credentials (${username} / ${password}) still work. ` +
    `Set another one: Change password in the menu, or npm run user -- password ${username}`;
  await logs.write(db, { type: 'system', action: 'default-credentials', status: 'warning', summary });
  return summary;
}
