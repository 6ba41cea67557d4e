import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sendToAts } from '#contracts/ats-pushes.ts';
import { getBulkRun, startBulkRun } from '#contracts/bulk.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import { type Connection, connect } from '#server/db/database.ts';
import { connectBullhorn } from '#support/connect-bullhorn.ts';
import { AMARA, insertSendable, leverVariables, mostPerSecond } from '#support/sending.ts';
import { startApp } from '#support/start-app.ts';
import { startSandbox } from '#support/start-sandbox.ts';
import { until } from '#support/until.ts';
import { cutOff } from './support/kill-repeatedly.ts';
import { activateFunnelOf, chance, type Stage, setStage } from './support/stage.ts';

const FUNNEL = 'warehouse';
const KILLS = 200;
const PUSHES = 1_000;
const SENT_AT_ONCE = 3;
/** From the request to the end of its calls, which are slowed down. */
const WITHIN_MS = 700;
/** After the last kill. */
const FINISH_MS = 120_000;

/** Each start of the product changes the password of its database. */
async function onDatabase(stage: Stage, work: (connection: Connection) => Promise<void>): Promise<void> {
  const connection = connect(await stage.databaseUrl(), 1, () => {});
  try {
    await work(connection);
  } finally {
    await connection.close();
  }
}

/** The number of notes in Bullhorn by interview. */
function countNotes({ sandbox }: Stage): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { externalID, isDeleted } of sandbox.control.bullhorn.store.rows('Note') ?? [])
    if (!isDeleted) counts.set(String(externalID), (counts.get(String(externalID)) ?? 0) + 1);
  return counts;
}

test(`after ${KILLS} kills at random moments, each note exists exactly once`, { timeout: 3_600_000 }, async () => {
  const stage = await setStage({ PUBLIC_URL: 'https://interviews.example' });
  const { sandbox } = stage;
  let product = await stage.start();
  const funnelId = await activateFunnelOf(product, sandbox, FUNNEL);
  await onDatabase(stage, ({ db }) => connectBullhorn({ db, environment: stage.env }));
  const moment = chance('pushes');
  sandbox.control.fail({ kind: 'latency', ms: 60, on: 'bullhorn' });
  const accepted = new Set<string>();
  for (let round = 1; round <= KILLS; round += 1) {
    const ids = Array.from({ length: SENT_AT_ONCE }, (_, at) => `iv_${round}_${at}`);
    await onDatabase(stage, (connection) =>
      insertSendable(
        connection,
        funnelId,
        ids.map((id) => ({ id })),
      ),
    );
    const requests = ids.map((id) =>
      product
        .call(sendToAts, { params: { id }, body: { candidateId: AMARA.candidateId } })
        .then(() => accepted.add(id)),
    );
    requests.forEach(cutOff);
    // Some kills come before the requests have ended.
    if (round % 4 !== 0) await Promise.allSettled(requests);
    await pause(Math.round(moment() * WITHIN_MS));
    await product.kill();
    product = await stage.start();
  }
  await until(
    'all pushes have ended',
    async () => {
      const open = await stage.ask('SELECT FROM ats_push WHERE due_at IS NOT NULL LIMIT 1');
      return open.length === 0 || null;
    },
    FINISH_MS,
  );
  const rows = await stage.ask<{ id: string; state: string }>('SELECT interview_id AS id, state FROM ats_push');
  expect(rows.length).toBeGreaterThan(KILLS);
  expect(rows.filter(({ state }) => state !== 'sent')).toEqual([]);
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining([...accepted]));
  const counts = countNotes(stage);
  expect([...counts].filter(([, n]) => n !== 1)).toEqual([]);
  expect([...counts.keys()].toSorted()).toEqual(rows.map(({ id }) => `vim:${id}`).toSorted());
});

/** E-mail addresses that belong to one opportunity each, so that none has hundreds of notes. */
const emailsIn = ({ control }: Sandbox): string[] => {
  const all = control.lever.opportunities.filter(
    ({ isAnonymized, isConfidential }) => !isAnonymized && !isConfidential,
  );
  const emails = all.flatMap((opportunity) => opportunity.emails);
  return emails.filter((email) => emails.indexOf(email) === emails.lastIndexOf(email)).slice(0, 25);
};

test('1,000 pushes stay under ten calls a second, and bursts of 429 lose none', { timeout: 900_000 }, async () => {
  const ids = Array.from({ length: PUSHES }, (_, at) => `iv_${at}`);
  const sandbox = await startSandbox();
  const product = await startApp({ env: leverVariables(sandbox) });
  const recruiter = await product.signedIn();
  const funnelId = await product.build.activeFunnel(recruiter);
  const emails = emailsIn(sandbox);
  await insertSendable(
    product,
    funnelId,
    ids.map((id, at) => ({ id, destinationId: 'BUB-lever-post-frontend', email: emails[at % emails.length] ?? '' })),
  );
  sandbox.control.fail({ kind: 'status', status: 429, on: 'lever', times: 2 });
  const { id } = await recruiter.call(startBulkRun, { body: { action: 'sendToAts', target: { ids } } });
  const read = () => recruiter.call(getBulkRun, { params: { id } });
  await until(
    'the run ends',
    async () => {
      await pause(2_000);
      return (await read()).status !== 'running' || null;
    },
    800_000,
  );
  expect(await read()).toMatchObject({ done: PUSHES, failed: 0, skipped: 0 });
  expect(mostPerSecond(sandbox)).toBeLessThanOrEqual(10);
  const markers = sandbox.control.lever.notes.map(({ value }) => value.split('\n').at(-1));
  expect(markers.toSorted()).toEqual(ids.map((each) => `vim:${each}`).toSorted());
});
