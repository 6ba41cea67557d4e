import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sendToAts } from '#contracts/ats-pushes.ts';
import { getInterview } from '#contracts/interviews.ts';
import type { FaultInput } from '#sandbox/faults/fault.ts';
import { connectBullhorn } from './support/connect-bullhorn.ts';
import { AMARA, BULLHORN_CALLS, insertSendable, startKillable } from './support/sending.ts';
import { startProcess } from './support/start-process.ts';
import { startSandbox } from './support/start-sandbox.ts';
import { until } from './support/until.ts';

const NOTES = `${BULLHORN_CALLS}entity/Note`;
const FINISH_MS = 120_000;

/** Where a push is when its process is killed. */
const STEPS: Record<string, FaultInput> = {
  'during the search': { kind: 'hang', on: 'bullhorn', path: `${BULLHORN_CALLS}search/Note*`, times: 1 },
  'before the note is stored': { kind: 'hang', on: 'bullhorn', path: NOTES, times: 1 },
  'after the note is stored, before its reply': { kind: 'ats-slow', bytesPerSecond: 1, path: NOTES, times: 1 },
};

test('after kill -9 at every step of a push, it finishes within 120 s and its note exists once', {
  timeout: 200_000,
}, async () => {
  const sandbox = await startSandbox();
  const { env, product, connection, funnelId } = await startKillable(sandbox);
  await connectBullhorn({ db: connection.db, environment: env });
  const ids = [...Object.keys(STEPS), 'right after the request'];
  await insertSendable(
    connection,
    funnelId,
    ids.map((id) => ({ id })),
  );
  const send = (id: string) => product.call(sendToAts, { params: { id }, body: { candidateId: AMARA.candidateId } });
  for (const [id, fault] of Object.entries(STEPS)) {
    const active = sandbox.control.fail(fault);
    await send(id);
    await until('the call is held', () => active.hits() > 0 || null);
  }
  // Until the stand-in has stored the note of the third step.
  await pause(300);
  await send('right after the request');
  await product.kill();
  const killedAt = performance.now();

  const next = await startProcess(env);
  for (const id of ids)
    await until(
      `the push ${id} is sent`,
      async () => (await next.call(getInterview, { params: { id } })).push?.state === 'sent' || null,
      FINISH_MS,
    );
  expect(performance.now() - killedAt).toBeLessThan(FINISH_MS);
  const notes = (sandbox.control.bullhorn.store.rows('Note') ?? []).filter(({ isDeleted }) => !isDeleted);
  expect(notes.map(({ externalID }) => externalID).toSorted()).toEqual(ids.map((id) => `vim:${id}`).toSorted());
});
