import { expect } from 'vitest';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import { type BullhornAccess, BullhornAts, bullhornTokens } from '#server/adapters/ats-bullhorn/bullhorn-ats.ts';
import { newSignIn } from '#server/adapters/ats-bullhorn/bullhorn-sign-in.ts';
import { LeverAts } from '#server/adapters/ats-lever/lever-ats.ts';
import { createEvents } from '#server/compose-events.ts';
import type { Database } from '#server/db/database.ts';
import { StoredAtsConnection } from '#server/features/ats/ats-connection.service.ts';
import type { Ats, AtsTarget } from '#server/ports/ats.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { Sealer } from '#server/secrets/sealer.ts';

export const never = new AbortController().signal;
const KEY = Buffer.alloc(32, 7);

export type AtsSettings = Partial<Pick<BullhornAccess, 'loginUrl' | 'allowPrivateHosts' | 'timeoutMs'>>;

/** An ATS and its initial data in the sandbox. */
interface AtsSystem {
  /** The name of its mount, for faults. */
  mount: 'bullhorn' | 'lever';
  /** The paths of data calls, without sign-in calls. */
  calls: string;
  account: (sandbox: Sandbox) => string;
  /** Each call opens one more process: the adapters share the database. */
  open(sandbox: Sandbox, db: Database, settings?: AtsSettings): Ats;
  /** Connects the ATS, which an administrator does once. */
  connect(sandbox: Sandbox, db: Database): Promise<void>;
  /** A candidate of the sandbox. */
  candidate: { email: string; id: string };
  target: AtsTarget;
  openJob: { employerId: string; employerName: string; jobId: string; title: string };
  closedJob: { employerId: string; jobId: string };
  /** The texts of all notes that are not deleted. */
  notes(sandbox: Sandbox): string[];
  /** Invalidates the sign-in for good. */
  revoke(sandbox: Sandbox): void;
}

const BULLHORN_CANDIDATE = { email: 'amara.okafor@example.com', id: '1001' };

const bullhornAccess = ({ bullhorn: { loginUrl, ...client } }: Sandbox, settings: AtsSettings = {}) => ({
  client,
  loginUrl,
  allowPrivateHosts: [],
  limitDelayMs: 5,
  timeoutMs: 10_000,
  ...settings,
});

export const bullhornConnection = (db: Database) =>
  new StoredAtsConnection({
    ...{ db, events: createEvents(), ats: 'bullhorn', credentials: ['test'], name: 'Bullhorn', account: 'api' },
    initialState: 'not_configured',
    sealer: new Sealer(() => [KEY]),
  });

/** Accepts the terms as an administrator does in a browser. */
export async function grantBullhorn(consentUrl: string): Promise<URLSearchParams> {
  const response = await fetch(`${consentUrl}&sandbox_decision=allow`, { redirect: 'manual' });
  return new URL(response.headers.get('location') ?? '').searchParams;
}

const bullhorn: AtsSystem = {
  mount: 'bullhorn',
  calls: '/bullhorn/rest-services/e999/',
  account: (sandbox) => sandbox.bullhorn.username,
  open: (sandbox, db, settings) =>
    new BullhornAts({ ...bullhornAccess(sandbox, settings), connection: bullhornConnection(db) }),
  async connect(sandbox, db) {
    const { tokens } = bullhornTokens(bullhornAccess(sandbox));
    const redirect = 'http://127.0.0.1:1/';
    const returned = await grantBullhorn(await tokens.consentUrl(redirect, 'state'));
    const pair = await tokens.exchangeCode(returned.get('code') ?? '', redirect);
    await bullhornConnection(db).change(async () => ({ state: 'connected', signIn: newSignIn(pair) }));
  },
  candidate: BULLHORN_CANDIDATE,
  target: { candidateId: BULLHORN_CANDIDATE.id, employerId: '4711', jobId: '88' },
  openJob: { employerId: '4711', employerName: 'Northwind Health', jobId: '88', title: 'Senior Frontend Engineer' },
  closedJob: { employerId: '4711', jobId: '89' },
  notes: ({ control }) =>
    (control.bullhorn.store.rows('Note') ?? []).flatMap((note) => (note.isDeleted ? [] : [String(note.comments)])),
  revoke: ({ control }) => control.bullhorn.tokens.revoke(),
};

const lever: AtsSystem = {
  mount: 'lever',
  calls: '/lever/v1/',
  account: (sandbox) => sandbox.lever.user,
  open: ({ lever: access }, db, { timeoutMs = 10_000 } = {}) =>
    new LeverAts({ ...access, connection: leverConnection(db), timeoutMs, limitDelayMs: 5 }),
  connect: async (_, db) => void (await leverConnection(db).change(async () => ({ state: 'connected', signIn: null }))),
  candidate: { email: 'amara.okafor@example.com', id: 'opp-1' },
  target: { candidateId: 'opp-1', employerId: 'lever', jobId: 'post-frontend' },
  openJob: {
    employerId: 'lever',
    employerName: 'Engineering',
    jobId: 'post-frontend',
    title: 'Senior Frontend Engineer',
  },
  closedJob: { employerId: 'lever', jobId: 'post-contract' },
  notes: ({ control }) => control.lever.notes.flatMap(({ value, deletedAt }) => (deletedAt ? [] : [value])),
  revoke({ control }) {
    control.lever.isKeyValid = false;
  },
};

const leverConnection = (db: Database) =>
  new StoredAtsConnection({
    ...{ db, events: createEvents(), ats: 'lever', credentials: ['test'], name: 'Lever', account: 'riley' },
    initialState: 'connected',
    sealer: new Sealer(() => [KEY]),
  });

export const ATS_SYSTEMS: Record<string, AtsSystem> = { Bullhorn: bullhorn, Lever: lever };

export const noteAbout = (interviewId: string, text = 'Strengths: calm & kind.\n“I ask first.” (1:12)') => ({
  text,
  links: [{ label: 'Watch the interview', url: `https://interviews.example.com/?interview=${interviewId}&t=72` }],
  marker: `vim:${interviewId}`,
});

/** Resolves with the error of a call that fails as it should. */
export async function failureOf(call: Promise<unknown>): Promise<UpstreamError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UpstreamError);
  return error as UpstreamError;
}
