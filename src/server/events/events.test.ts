import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createEvents } from '#server/compose-events.ts';
import { connect } from '#server/db/database.ts';
import { LiveBus } from '#server/live/bus.ts';
import { startApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';

const listMetadata = async (db: Awaited<ReturnType<typeof startApp>>['db'], action: string) =>
  (await db.selectFrom('log_entry').select('metadata').where('action', '=', action).execute()).map(
    ({ metadata }) => metadata,
  );

test('an event is logged and announced with its transaction, or not at all', async () => {
  const { db, database } = await startApp({ jobs: false });
  const bus = new LiveBus(database.applicationUrl, pino({ level: 'silent' }));
  onTestFinished(() => bus.close());
  await bus.opened;
  const received: string[] = [];
  bus.on('funnels', (id) => received.push(id));
  const events = createEvents();
  const undone = db.transaction().execute(async (tx) => {
    await events.record(tx, 'webhook.created', { funnelId: 1, name: 'Sales' });
    throw new Error('The change failed.');
  });
  await expect(undone).rejects.toThrow('The change failed.');
  await db.transaction().execute((tx) => events.record(tx, 'webhook.created', { funnelId: 2, name: 'Sales' }));
  await until('the event is announced', () => received.length > 0);
  expect(received).toEqual(['2']);
  expect(await listMetadata(db, 'create-webhook')).toEqual([{ funnelId: 2, name: 'Sales' }]);
});

test('an event keeps only the data that the catalog names', async () => {
  const { db } = await startApp({ jobs: false });
  const restored = { createdAt: '2026-11-24', release: '1.0.0', restoredBy: '1.0.1' };
  await createEvents().record(db, 'backup.restored', { ...restored, ...{ token: 'secret' } });
  expect(await listMetadata(db, 'restore-backup')).toEqual([restored]);
});

test('an event fails while the features that react to it are not connected', async () => {
  const { db } = await startApp({ jobs: false });
  const added = { funnelId: 1, interviewIds: ['iv'] };
  await expect(createEvents().record(db, 'interview.added', added)).rejects.toThrow(/interview\.added/);
});

test('an event without a transaction has all of its consequences or none', async () => {
  const { db } = await startApp({ jobs: false });
  const deleted = { funnelId: 1, name: 'Sales', interviews: 0, publishedVideos: 0 };
  await expect(createEvents().record(db, 'funnel.deleted', deleted)).rejects.toThrow(/funnel\.deleted/);
  expect(await listMetadata(db, 'delete-funnel')).toEqual([]);
});

test('a reaction that waits holds no connection', async () => {
  const { database } = await startApp({ jobs: false });
  await using connection = connect(database.applicationUrl, 1, () => {});
  const { db } = connection;
  const stopForFunnel = async () => void (await db.selectFrom('funnel').select('id').execute());
  const events = createEvents();
  events.connect({ sync: { stopForFunnel } } as never);
  await events.record(db, 'funnel.change-requested', { funnelId: 1 });
});
