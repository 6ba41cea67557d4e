import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sendToAts } from '#contracts/ats-pushes.ts';
import { type Connection, connect } from '#server/db/database.ts';
import { connectBullhorn } from '#support/connect-bullhorn.ts';
import { AMARA, insertSendable } from '#support/sending.ts';
import type { ProductProcess } from '#support/start-process.ts';
import { until } from '#support/until.ts';
import { cutOff } from './support/kill-repeatedly.ts';
import { activateFunnelOf, chance, onTestEnd, type Stage, setStage } from './support/stage.ts';

const FUNNEL = 'warehouse';
const KILLS = 200;
const SENT_AT_ONCE = 3;
/** From the request to the end of its calls, which are slowed down. */
const WITHIN_MS = 700;
/** After the last kill. */
const FINISH_MS = 120_000;

interface SentStage extends Stage {
  product: ProductProcess;
  connection: Connection;
  funnelId: number;
}

async function startSending(): Promise<SentStage> {
  const stage = await setStage({ PUBLIC_URL: 'https://interviews.example' });
  const product = await stage.start();
  const funnelId = await activateFunnelOf(product, stage.sandbox, FUNNEL);
  const connection = connect(await stage.databaseUrl(), 2, () => {});
  onTestEnd(() => connection.close());
  await connectBullhorn({ db: connection.db, environment: stage.env });
  return { ...stage, product, connection, funnelId };
}

/** The number of notes in Bullhorn by interview. */
function countNotes({ sandbox }: Stage): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { externalID, isDeleted } of sandbox.control.bullhorn.store.rows('Note') ?? [])
    if (!isDeleted) counts.set(String(externalID), (counts.get(String(externalID)) ?? 0) + 1);
  return counts;
}

test(`after ${KILLS} kills at random moments, each note exists exactly once`, { timeout: 3_600_000 }, async () => {
  const stage = await startSending();
  const { sandbox, connection, funnelId } = stage;
  let { product } = stage;
  const moment = chance('pushes');
  sandbox.control.fail({ kind: 'latency', ms: 60, on: 'bullhorn' });
  const accepted = new Set<string>();
  for (let round = 1; round <= KILLS; round += 1) {
    const ids = Array.from({ length: SENT_AT_ONCE }, (_, at) => `iv_${round}_${at}`);
    await insertSendable(
      connection,
      funnelId,
      ids.map((id) => ({ id })),
    );
    for (const id of ids)
      cutOff(
        product
          .call(sendToAts, { params: { id }, body: { candidateId: AMARA.candidateId } })
          .then(() => accepted.add(id)),
      );
    await pause(Math.round(moment() * WITHIN_MS));
    await product.kill();
    product = await stage.start();
  }
  await until(
    'all pushes have ended',
    async () => {
      const [open] = await stage.ask<{ n: string }>('SELECT count(*) AS n FROM ats_push WHERE due_at IS NOT NULL');
      return open?.n === '0' || null;
    },
    FINISH_MS,
  );
  const rows = await stage.ask<{ id: string; state: string }>('SELECT interview_id AS id, state FROM ats_push');
  expect(rows.filter(({ state }) => state !== 'sent')).toEqual([]);
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining([...accepted]));
  const counts = countNotes(stage);
  expect([...counts].filter(([, n]) => n !== 1)).toEqual([]);
  expect([...counts.keys()].toSorted()).toEqual(rows.map(({ id }) => `vim:${id}`).toSorted());
});
