import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { updateFunnel } from '#contracts/funnels.ts';
import { archiveInterview, saveTranscript, setDestination } from '#contracts/interviews.ts';
import { type Actor, type LogEntry, listLogs } from '#contracts/logs.ts';
import { summarizeInterview, transcribeInterview } from '#contracts/processing.ts';
import { login, logout } from '#contracts/session.ts';
import type { Person } from '#support/call.ts';
import { runCommandLine } from '#support/commands.ts';
import { insertInterviews } from '#support/insert-interviews.ts';
import { setUpProcessing } from '#support/processing.ts';
import { startApp } from '#support/start-app.ts';

const PASSWORD = 'nine green bottles on a wall';

const logs = async (person: Person): Promise<LogEntry[]> =>
  (await person.call(listLogs, { query: { limit: 100 } })).logs;

/** `action status: who`, oldest first. */
const names = (entries: readonly LogEntry[]) =>
  entries.map(({ action, status, actor }) => `${action} ${status}: ${actor?.name ?? actor?.kind}`).reverse();

describe('the actor of a log entry', () => {
  test('the actor of a log entry is the account of the request, with its address and the id of the request', async () => {
    const product = await startApp({ env: { TRUST_PROXY: 'true', ADMIN_PASSWORD: PASSWORD } });
    const person = product.anonymous();
    const headers = { 'x-forwarded-for': '203.0.113.5' };
    const body = { username: 'admin', password: PASSWORD };
    const response = await person.request({ method: 'POST', url: login.path, body, headers });
    const [signedIn] = await logs(person);
    const actor: Actor = {
      kind: 'account',
      accountId: response.json().id,
      name: 'admin',
      address: '203.0.113.5',
      requestId: response.headers['x-request-id'] as string,
    };
    expect(signedIn).toMatchObject({ action: 'sign-in', status: 'success', actor });

    const { length } = await logs(person);
    await person.request({ method: 'POST', url: login.path, body: { ...body, password: 'wrong' }, headers });
    const failed = (await logs(person)).slice(0, -length);
    expect(failed).toMatchObject([{ actor: { kind: 'anonymous', accountId: null, address: '203.0.113.5' } }]);
    const left = await person.request({ method: 'POST', url: logout.path, headers });
    const [signedOut] = await logs(await product.signedIn()).then((entries) =>
      entries.filter(({ action }) => action === 'sign-out'),
    );
    expect(signedOut?.actor).toEqual({ ...actor, requestId: left.headers['x-request-id'] });
  });

  test('the actor of a log entry is the user who edits, starts a refresh or a step, even for its end', {
    timeout: 90_000,
  }, async () => {
    const { sandbox, product, recruiter, funnel, funnelId, id, ended } = await setUpProcessing();
    const added = await runCommandLine(['user', 'add', 'noor'], product.environment, `${PASSWORD}\n`);
    expect(added.stderr).toBe('');
    const noor = await product.signedIn('noor', PASSWORD);
    const before = await logs(recruiter);

    const slow = sandbox.control.fail({ kind: 'latency', ms: 300, on: 'transcription' });
    await recruiter.call(transcribeInterview, { params: { id } });
    await noor.call(summarizeInterview, { params: { id } });
    slow.stop();
    await ended('summarize');
    await recruiter.call(updateFunnel, { params: { id: funnelId }, body: { ...funnel, name: 'Night shift' } });
    await noor.call(setDestination, { params: { id }, body: { destinationId: 'BUB-ACME-7', notes: '' } });
    await noor.call(archiveInterview, { params: { id } });

    expect(names(before)).toEqual(
      expect.arrayContaining([
        'start info: system',
        'start-refresh info: admin',
        'sync-interviews success: admin',
        `add-account success: ${userInfo().username}`,
        'sign-in success: noor',
      ]),
    );
    expect(before.find(({ summary }) => summary.includes('noor was added'))?.actor?.kind).toBe('command');
    expect(names((await logs(recruiter)).slice(0, -before.length))).toEqual([
      'transcribe-interview info: admin',
      'summarize-interview info: noor',
      'transcribe-interview success: admin',
      'summarize-interview success: noor',
      'update-funnel success: admin',
      'set-destination success: noor',
      'archive-interview success: noor',
    ]);
  });

  test('the actor of a log entry of a summary is the user who asked for it, when another user writes the transcript it waits for', {
    timeout: 90_000,
  }, async () => {
    const { sandbox, product, recruiter, id, ended } = await setUpProcessing();
    await runCommandLine(['user', 'add', 'noor'], product.environment, `${PASSWORD}\n`);
    const noor = await product.signedIn('noor', PASSWORD);
    const held = sandbox.control.fail({ kind: 'latency', ms: 60_000, on: 'transcription' });
    await noor.call(summarizeInterview, { params: { id } });
    await recruiter.call(saveTranscript, { params: { id }, body: { transcriptionText: 'We plan every shift.' } });
    await ended('summarize');
    held.stop();
    expect(names((await logs(recruiter)).slice(0, 2))).toEqual([
      'update-transcript success: admin',
      'summarize-interview success: noor',
    ]);
  });

  test('the actor of a log entry of an export and of a backup is the operating-system user', {
    timeout: 90_000,
  }, async () => {
    const product = await startApp({ jobs: false });
    const recruiter = await product.signedIn();
    await insertInterviews(product.db, [{ id: 'iv-ada', funnelId: await product.build.funnel(recruiter) }]);
    await product.db.updateTable('interview').set({ candidate_email: 'ada@example.com' }).execute();
    const file = join(product.dataDir, 'copy.tar');
    for (const command of [
      ['candidate', 'export', 'ada@example.com'],
      ['backup', file, '--plain'],
    ])
      expect((await runCommandLine(command, product.environment)).code).toBe(0);
    const [backup, exported] = await logs(recruiter);
    const actor = { kind: 'command', name: userInfo().username };
    expect(exported).toMatchObject({
      action: 'export-candidate',
      details: { interviews: [{ interviewId: 'iv-ada' }] },
      actor,
    });
    expect(JSON.stringify(exported)).not.toContain('ada@');
    expect(backup).toMatchObject({ action: 'make-backup', metadata: { path: file, withSecrets: false }, actor });
  });

  test('the actor of a log entry is unknown for entries of releases that did not record it', async () => {
    const product = await startApp({ jobs: false });
    const recruiter = await product.signedIn();
    const old = { type: 'system', action: 'start', status: 'info', summary: 'Earlier' };
    await product.db.insertInto('log_entry').values(old).execute();
    expect((await logs(recruiter))[0]).toMatchObject({ summary: 'Earlier', actor: null });
  });
});
