import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { getUser, logout } from '#contracts/session.ts';
import { Person } from './support/call.ts';
import { startDatabaseRelay } from './support/database-relay.ts';
import { startApp } from './support/start-app.ts';
import { until } from './support/until.ts';

/** Two processes; the second one receives announcements through a relay. */
async function twoProcesses() {
  const first = await startApp({ jobs: false, isAlone: false });
  const relay = await startDatabaseRelay(first.database.applicationUrl);
  const env = { ...first.environment, DATABASE_DIRECT_URL: relay.url };
  const second = await startApp({ env, jobs: false, isAlone: false, database: first.database, dataDir: first.dataDir });
  const here = await first.signedIn();
  const there = new Person(second.app, here.cookie);
  const statusThere = async () => (await there.request({ method: 'GET', url: getUser.path })).statusCode;
  expect(await statusThere()).toBe(200);
  return { here, relay, statusThere };
}

test.each(['drop', 'cut', null] as const)(
  'a session that ends in one process is rejected in the other within 1 s, even when announcements do not arrive (%s)',
  async (fault) => {
    const { here, relay, statusThere } = await twoProcesses();
    if (fault) relay[fault]();
    await here.call(logout, {});
    // A timer of the same process: on a busy machine both are late.
    const second = pause(1_000, 'accepted');
    const refused = until('it is rejected', async () => (await statusThere()) === 401).then(() => 'refused');
    expect(await Promise.race([refused, second])).toBe('refused');
  },
);
