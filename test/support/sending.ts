import { onTestFinished } from 'vitest';
import { type AtsPush, getAtsPush, sendToAts } from '#contracts/ats-pushes.ts';
import type { CallInput } from '#contracts/endpoint.ts';
import { activateFunnel, createFunnel } from '#contracts/funnels.ts';
import { getInterview } from '#contracts/interviews.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import { connect } from '#server/db/database.ts';
import { connectionStringOf, readAccess } from '#server/db/embedded/access.ts';
import type { Person } from './call.ts';
import { connectBullhorn } from './connect-bullhorn.ts';
import { type InterviewSeed, insertInterviews } from './insert-interviews.ts';
import { surroundings } from './process-surroundings.ts';
import { startApp, type TestApp } from './start-app.ts';
import { startProcess } from './start-process.ts';
import { startSandbox } from './start-sandbox.ts';
import { until } from './until.ts';

/** A candidate and an open job of the sandbox's Bullhorn. */
export const AMARA = { email: 'amara.okafor@example.com', candidateId: '1001' };
export const JOB = { employerId: '4711', jobId: '88', title: 'Senior Frontend Engineer' };
export const DESTINATION = `BUB-${JOB.employerId}-${JOB.jobId}`;
export const SUMMARY = 'Overview\nCalm & kind.\n\nSkills: Met\n- [1:12] “I ask first.”';

type AppOptions = NonNullable<Parameters<typeof startApp>[0]>;

/** Inserts interviews that can be sent, all of the same candidate by default. */
export async function insertSendable(
  { db }: Pick<TestApp, 'db'>,
  funnelId: number,
  seeds: readonly (Partial<InterviewSeed> & { id: string; email?: string | null })[],
): Promise<void> {
  await insertInterviews(
    db,
    seeds.map(({ email: _, ...seed }) => ({
      ...{ funnelId, title: 'Amara for Frontend', candidateName: 'Amara Okafor', destinationId: DESTINATION },
      ...{ summary: SUMMARY, summaryStatus: 'completed' as const },
      ...seed,
    })),
  );
  for (const { id, email = AMARA.email } of seeds)
    await db.updateTable('interview').set({ candidate_email: email }).where('id', '=', id).execute();
}

/** A process that can be killed, with an active funnel, and a connection to its database. */
export async function startKillable(sandbox: Sandbox) {
  const env = await surroundings(sandbox);
  const product = await startProcess(env);
  const access = await readAccess(env.DATA_DIR);
  const url = env.DATABASE_OWNER_URL ?? env.DATABASE_URL ?? (access ? connectionStringOf(access) : '');
  const connection = connect(url, 2, () => {});
  onTestFinished(() => connection.close());
  const { id: funnelId } = await product.call(createFunnel, {
    body: { name: 'Frontend', apiKey: 'key', funnelId: 'frontend' },
  });
  await product.call(activateFunnel, { params: { id: funnelId } });
  return { env, product, connection, funnelId };
}

/** Starts a product that is connected to the Bullhorn of a sandbox, with the interview `iv_1`. */
export async function setUpSending({ env, onFinished = onTestFinished, ...options }: AppOptions = {}) {
  const sandbox = await startSandbox(onFinished);
  const product = await startApp({
    ...options,
    onFinished,
    env: { ...productVariables(sandbox), PUBLIC_URL: 'https://interviews.example', ...env },
  });
  await connectBullhorn(product);
  const recruiter = await product.signedIn();
  const funnelId = await product.build.activeFunnel(recruiter);
  await insertSendable(product, funnelId, [{ id: 'iv_1' }]);
  return { sandbox, product, recruiter, funnelId, ...senderOf(recruiter, sandbox) };
}

/** The variables of a product that is connected to the Lever of a sandbox. */
export const leverVariables = (sandbox: Sandbox): Record<string, string> => ({
  ...productVariables(sandbox),
  ...{ BULLHORN_USERNAME: '', BULLHORN_CLIENT_ID: '', BULLHORN_CLIENT_SECRET: '' },
  LEVER_API_KEY: sandbox.lever.apiKey,
  LEVER_URL: sandbox.lever.url,
  LEVER_USER: sandbox.lever.user,
  PUBLIC_URL: 'https://interviews.example',
});

/** The largest number of calls that Lever received within one second. */
export function mostPerSecond(sandbox: Sandbox): number {
  const times = sandbox.requests
    .list('/lever/')
    .map(({ at }) => at)
    .toSorted((a, b) => a - b);
  let first = 0;
  const counts = times.map((at, last) => {
    while ((times[first] ?? at) <= at - 1_000) first += 1;
    return last - first + 1;
  });
  return Math.max(...counts);
}

/** Sends and reads as this person. */
export function senderOf(person: Person, sandbox: Sandbox) {
  const show = (id = 'iv_1', query: CallInput<typeof getAtsPush>['query'] = {}) =>
    person.call(getAtsPush, { params: { id }, query });
  const send = (id = 'iv_1', body: Partial<CallInput<typeof sendToAts>['body']> = {}) =>
    person.call(sendToAts, { params: { id }, body: { candidateId: AMARA.candidateId, ...body } });
  const read = async (id = 'iv_1'): Promise<AtsPush | null> =>
    (await person.call(getInterview, { params: { id } })).push;
  const reaches = (state: AtsPush['state'], id = 'iv_1', limitMs = 20_000): Promise<AtsPush> =>
    until(
      `the push is ${state}`,
      async () => {
        const push = await read(id);
        return push?.state === state ? push : null;
      },
      limitMs,
    );
  /** The notes in Bullhorn that are not deleted, of this interview or of all. */
  const notes = (id?: string) =>
    (sandbox.control.bullhorn.store.rows('Note') ?? []).filter(
      ({ isDeleted, externalID }) => !isDeleted && (id === undefined || externalID === `vim:${id}`),
    );
  return { show, send, read, reaches, notes };
}

/** The data calls that Bullhorn has received, without sign-in calls. */
export const BULLHORN_CALLS = '/bullhorn/rest-services/e999/';
