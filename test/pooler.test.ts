import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { listInterviews } from '#contracts/interviews.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import { emptyFolder } from './support/backups.ts';
import { runCommandLine } from './support/commands.ts';
import { isPgBouncerInstalled } from './support/find-pgbouncer.ts';
import { startPgBouncer } from './support/pgbouncer.ts';
import { stepsOf } from './support/processing.ts';
import { FUNNEL, refresh } from './support/refreshing.ts';
import { startApp } from './support/start-app.ts';
import { startSandbox } from './support/start-sandbox.ts';
import { createTestDatabase } from './support/test-database.ts';
import { until } from './support/until.ts';

/** A database behind PgBouncer, and variables that point to both. */
async function pooledDatabase() {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const pooled = await startPgBouncer(database.applicationUrl);
  const env = { DATABASE_URL: pooled, DATABASE_DIRECT_URL: database.applicationUrl, DATABASE_PREPARED: 'off' };
  return { database, pooled, env };
}

test.runIf(isPgBouncerInstalled())(
  'behind PgBouncer in transaction mode, people sign in, list, refresh, run a step and get live messages',
  { timeout: 60_000 },
  async () => {
    const { database, env } = await pooledDatabase();
    const sandbox = await startSandbox();
    const product = await startApp({ database, isAlone: false, env: { ...productVariables(sandbox), ...env } });
    const recruiter = await product.signedIn();
    await product.build.activeFunnel(
      recruiter,
      sandbox.funnels.find(({ funnelId }) => funnelId === FUNNEL),
    );
    await product.app.listen({ port: 0, host: '127.0.0.1' });
    const origin = `http://127.0.0.1:${(product.app.server.address() as AddressInfo).port}`;
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, {
      headers: { origin, cookie: recruiter.cookie ?? '' },
    });
    onTestFinished(() => socket.terminate());
    const messages: string[] = [];
    socket.on('message', (data) => messages.push(String(data)));
    await once(socket, 'open');

    expect((await refresh(product, recruiter)).error).toBeNull();
    const lists = await Promise.all(
      Array.from({ length: 12 }, () => recruiter.call(listInterviews, { query: { limit: 10 } })),
    );
    expect(new Set(lists.map(({ total }) => total)).size).toBe(1);
    const id = lists[0]?.interviews[0]?.id ?? '';
    expect(await stepsOf(recruiter, id).done('transcribe')).toMatchObject({ transcriptionStatus: 'completed' });
    await until('the end of the step is announced', () =>
      messages.some((message) => message.includes('transcription-completed')),
    );
  },
);

test.runIf(isPgBouncerInstalled())('check:config detects the pooler and names what to set', async () => {
  const { database, pooled, env } = await pooledDatabase();
  const check = async (given: Record<string, string>) => {
    const own = { DATA_DIR: await emptyFolder(), DATABASE_OWNER_URL: database.url };
    const { printed, stderr } = await runCommandLine(['check:config'], { ...own, ...given });
    return printed + stderr;
  };
  expect(await check(env)).toContain('DATABASE_URL points to a pooler, and DATABASE_DIRECT_URL to the database.');
  const both = await check({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: pooled });
  expect(both).toContain('DATABASE_DIRECT_URL points to a pooler. Set it to the address of the database itself.');
  expect(both).toContain('DATABASE_PREPARED is on');
  expect(await check({ DATABASE_URL: pooled })).toMatch(
    /^DATABASE_URL points to a pooler, .* Set DATABASE_DIRECT_URL/m,
  );
  expect(await check({ DATABASE_URL: database.applicationUrl })).not.toContain('points to a pooler');
});
