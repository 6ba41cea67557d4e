import { expect, test } from 'vitest';
import { archiveInterview, unarchiveInterview } from '#contracts/interviews.ts';
import { createOutgoingWebhook } from '#contracts/outgoing-webhooks.ts';
import { until } from '#support/until.ts';
import { cutOff, killRepeatedly, type Work } from './support/kill-repeatedly.ts';
import { activateFunnelOf, refresh, type Stage, setStage } from './support/stage.ts';

const FUNNEL = 'warehouse';

const someIds = ({ sandbox }: Stage) =>
  sandbox.control
    .interviews(FUNNEL)
    .slice(0, 5)
    .map(({ id }) => id);

const deliveries: Work = {
  name: 'deliveries of webhooks',
  kills: 200,
  withinMs: 700,
  async prepare(product, { sandbox }) {
    await activateFunnelOf(product, sandbox, FUNNEL);
    await refresh(product);
    sandbox.control.fail({ kind: 'latency', ms: 30, on: 'receiver' });
    sandbox.control.fail({ kind: 'reset', when: 'after-headers', on: 'receiver', every: 11 });
    const url = `${sandbox.receiverUrl}/crm`;
    await product.call(createOutgoingWebhook, {
      body: { url, events: ['interview.archived'], format: 'json', includePersonalData: false },
    });
  },
  async begin(product, stage) {
    for (const id of someIds(stage)) {
      const params = { id };
      const changes = product
        .call(unarchiveInterview, { params })
        .catch(() => {})
        .then(() => product.call(archiveInterview, { params }));
      cutOff(changes);
    }
  },
  /** Every change is reported at least once, with one id, and in the order of its interview. */
  async check(_product, { ask, sandbox }) {
    await until(
      'nothing waits',
      async () => {
        const [row] = await ask<{ n: string }>("SELECT count(*) AS n FROM webhook_delivery WHERE state <> 'delivered'");
        return Number(row?.n) === 0 || null;
      },
      60_000,
    );
    const [logged] = await ask<{ n: string }>("SELECT count(*) AS n FROM log_entry WHERE action = 'archive-interview'");
    const rows = await ask<{ id: string; interview: string }>(
      'SELECT event_id AS id, interview_id AS interview FROM webhook_delivery ORDER BY webhook_delivery.id',
    );
    expect(rows.length).toBe(Number(logged?.n));
    const received = sandbox.control.events();
    expect(new Set(received.map(({ id }) => id))).toEqual(new Set(rows.map(({ id }) => id)));
    const firstOf = new Map([...received.entries()].toReversed().map(([at, { id }]) => [id, at]));
    for (const ids of Map.groupBy(rows, ({ interview }) => interview).values()) {
      const order = ids.map(({ id }) => firstOf.get(id) ?? -1);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }
  },
};

test(`${deliveries.kills} kills during ${deliveries.name} lose no event`, { timeout: 3_600_000 }, async () => {
  await killRepeatedly(deliveries, await setStage());
});
