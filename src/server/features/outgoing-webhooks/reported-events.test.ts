import { expect, test } from 'vitest';
import { getBulkRun, startBulkRun } from '#contracts/bulk.ts';
import { archiveInterview, saveTranscript, setDestination } from '#contracts/interviews.ts';
import {
  createOutgoingWebhook,
  listWebhookDeliveries,
  type NewOutgoingWebhook,
  updateOutgoingWebhook,
} from '#contracts/outgoing-webhooks.ts';
import { PUBLIC_EVENT_NAMES, PUBLIC_EVENTS, type PublicEventName } from '#contracts/public-events.ts';
import { saveReview } from '#contracts/reviews.ts';
import { createEvents } from '#server/compose-events.ts';
import { insertCandidates, openedGuest, shareOne } from '#support/sharing.ts';
import { startApp } from '#support/start-app.ts';
import { until } from '#support/until.ts';

const FORM: NewOutgoingWebhook = {
  url: 'https://203.0.114.1/events',
  events: PUBLIC_EVENT_NAMES,
  format: 'json',
  includePersonalData: false,
};

async function start({ jobs = false } = {}) {
  const product = await startApp({ jobs, env: { PUBLIC_URL: 'https://interviews.example' } });
  const admin = await product.signedIn();
  const funnelId = await product.build.funnel(admin, { clientName: 'Mercy' });
  await insertCandidates(product, funnelId);
  const webhook = async (form: Partial<NewOutgoingWebhook> = {}) => {
    const { id } = await admin.call(createOutgoingWebhook, { body: { ...FORM, ...form } });
    return id;
  };
  /** Returns the oldest first. */
  const reported = async (id: number) =>
    (await admin.call(listWebhookDeliveries, { params: { id } }))
      .toReversed()
      .map(({ request }) => JSON.parse(request));
  return { product, admin, funnelId, webhook, reported };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Causes every kind of event about interviews and links. */
async function useProduct({ product, admin }: Started): Promise<void> {
  const params = { id: 'dana' };
  await admin.call(saveTranscript, { params, body: { transcriptionText: 'Hello' } });
  await admin.call(setDestination, { params, body: { destinationId: 'BUB-ACME-1' } });
  const review = { ratings: {}, recommendation: 3, note: 'Good', submit: true };
  await admin.call(saveReview, { params, body: review });
  const guest = await openedGuest(product.app, await shareOne(admin));
  await guest.decide(1, 'yes', 'She is great');
  await admin.call(archiveInterview, { params });
}

test('changes are reported in order, with actor, ids and a link', async () => {
  const world = await start();
  const id = await world.webhook();
  await useProduct(world);
  const { funnelId } = world;
  const link = 'https://interviews.example/?interview=dana';
  const dana = { interviewId: 'dana', funnelId, link };
  const links = 'https://interviews.example/links';
  const shareId = expect.any(Number);
  const bodies = await world.reported(id);
  expect(bodies.map(({ type, data }) => [type, data])).toEqual([
    ['interview.edited', { ...dana, text: 'transcript' }],
    ['interview.sent', { ...dana, destinationId: 'BUB-ACME-1' }],
    ['review.submitted', { ...dana, isFirst: true }],
    ['share.opened', { shareId, isFirst: true, link: links }],
    ['share.decided', { ...dana, shareId, verdict: 'yes', link: links }],
    ['interview.archived', dana],
  ]);
  const admin = { kind: 'account', id: expect.any(Number), name: 'admin' };
  const client = { kind: 'anonymous', id: null, name: null };
  expect(bodies.map(({ actor }) => actor)).toEqual([admin, admin, admin, client, client, admin]);
  expect(new Set(bodies.map((body) => body.id)).size).toBe(6);
  for (const personal of ['Dana', 'dana.moore@', 'Ann Lee', 'great', 'Good', 'Hello'])
    expect(JSON.stringify(bodies)).not.toContain(personal);
});

test("with personal data, bodies also contain the title, the candidate and the recipient's name", async () => {
  const world = await start();
  const [plain, personal] = [await world.webhook(), await world.webhook({ includePersonalData: true })];
  await useProduct(world);
  const bodies = await world.reported(personal);
  const dana = { title: 'Dana Moore for Nurses', candidate: { name: 'Dana Moore', email: 'dana.moore@example.com' } };
  expect(bodies.find(({ type }) => type === 'interview.archived').data).toMatchObject(dana);
  expect(bodies.find(({ type }) => type === 'share.decided').data).toMatchObject({ ...dana, recipient: 'Ann Lee' });
  for (const hidden of ['great', 'Good', 'Hello', '555 0100']) expect(JSON.stringify(bodies)).not.toContain(hidden);
  // All receivers of an event get the same id.
  expect((await world.reported(plain)).map((body) => body.id)).toEqual(bodies.map((body) => body.id));
  for (const { type, data } of bodies)
    expect(PUBLIC_EVENTS[type as PublicEventName].data.strict().safeParse(data).error).toBeUndefined();
});

test('a webhook receives only the events it subscribes to, and none while it is off', async () => {
  const world = await start();
  const [some, off] = [await world.webhook({ events: ['interview.archived', 'share.opened'] }), await world.webhook()];
  await world.admin.call(updateOutgoingWebhook, { params: { id: off }, body: { ...FORM, isActive: false } });
  await useProduct(world);
  expect((await world.reported(some)).map(({ type }) => type)).toEqual(['share.opened', 'interview.archived']);
  expect(await world.reported(off)).toEqual([]);
});

test('a bulk run reports each interview that it changes', async () => {
  const { product, admin, webhook, reported, funnelId } = await start({ jobs: true });
  // A destination requires a ready interview, or one that already has a destination.
  await product.db.updateTable('interview').set({ destination_id: 'BUB-OLD-1' }).execute();
  const id = await webhook();
  const target = { ids: ['dana', 'omar'] };
  for (const body of [
    { action: 'setDestination', target, destinationId: 'BUB-ACME-1', existing: 'replace' } as const,
    { action: 'archive', target } as const,
  ]) {
    const run = await admin.call(startBulkRun, { body });
    await until('the run ends', async () => {
      const { finishedAt } = await admin.call(getBulkRun, { params: { id: run.id } });
      return finishedAt;
    });
  }
  const bodies = await reported(id);
  expect(bodies.map(({ type, data }) => [type, data.interviewId, data.funnelId])).toEqual(
    ['interview.sent', 'interview.archived'].flatMap((type) =>
      ['dana', 'omar'].map((interviewId) => [type, interviewId, funnelId]),
    ),
  );
  expect(bodies[0].data.destinationId).toBe('BUB-ACME-1');
});

test('a change that is rolled back is not reported', async () => {
  const { product, webhook, reported, funnelId } = await start();
  const id = await webhook();
  const events = createEvents();
  const archived = { interviewId: 'dana', title: 'Dana', funnelId };
  const undone = product.db.transaction().execute(async (tx) => {
    await events.record(tx, 'interview.archived', archived);
    throw new Error('The change failed.');
  });
  await expect(undone).rejects.toThrow('The change failed.');
  expect(await reported(id)).toEqual([]);
});

test('Slack gets text and Teams a card, and links, mentions and markup in them are escaped', async () => {
  const world = await start();
  const { product, admin, webhook } = world;
  await product.db.updateTable('interview').set({ title: '<!channel> [Win](https://evil.example) & *more*' }).execute();
  const [slack, teams] = [
    await webhook({ format: 'slack', includePersonalData: true }),
    await webhook({ format: 'teams', includePersonalData: true }),
  ];
  await admin.call(archiveInterview, { params: { id: 'dana' } });
  expect(await world.reported(slack)).toEqual([
    {
      text: 'An interview was archived by admin: &lt;!channel&gt; [Win](https://evil.example) &amp; *more* <https://interviews.example/?interview=dana|Open>',
    },
  ]);
  const [card] = await world.reported(teams);
  expect(card).toMatchObject({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          body: [
            {
              type: 'TextBlock',
              text: 'An interview was archived by admin: \\<\\!channel\\> \\[Win\\]\\(https://evil.example\\) & \\*more\\*',
            },
          ],
          actions: [{ type: 'Action.OpenUrl', url: 'https://interviews.example/?interview=dana' }],
        },
      },
    ],
  });
});
