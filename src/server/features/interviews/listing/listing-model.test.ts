import fc from 'fast-check';
import { test } from 'vitest';
import type { ModelInterview, ModelQuery } from '#support/listing-model.ts';
import { FIRST_CLIENTS, type ListingChange, ListingStage } from '#support/listing-stage.ts';
import { startApp } from '#support/start-app.ts';

/**
 * Ids decide the order of equal dates. The emoji is larger than U+FFEE in UTF-8 and smaller in
 * UTF-16.
 */
const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'B', '10', '9', 'é', '\uffee', '🙂', "o'k", 'a%b', 'a_b', 'back\\slash'];
const LINES = ['Nurse', 'night shift', 'NURSING', '100% remote', 'under_score', "O'Neil", 'Ärztin', 'a\\b', 'alpha'];
const TEXTS = ['alpha beta', 'Alphabet soup', 'gamma', 'nurse alpha', 'Ärger über alles', 'delta2 delta'];
const WORDS = [
  'nurs',
  'NIGHT',
  'shift',
  '%',
  '_',
  '\\',
  "o'",
  'ä',
  'är',
  'alpha',
  'alph',
  'pha',
  'delta2',
  'soup',
  // A client's name contains these, and so do other columns.
  'r',
  'e',
  'merc',
  '*',
  'zzz',
];
/** Ends and beginnings of days, and moments next to them. */
const MOMENTS = [
  '2026-03-01T00:00:00.000Z',
  '2026-03-01T12:00:00.000Z',
  '2026-03-01T23:59:59.999Z',
  '2026-03-02T00:00:00.000Z',
  '2026-03-02T00:00:00.001Z',
  '2026-03-05T08:30:00.000Z',
  '2025-12-31T23:59:59.999Z',
];
const CLIENTS = [...FIRST_CLIENTS, null];
const STATUSES = [null, 'in-progress', 'completed', 'failed'] as const;

const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
const line = fc.constantFrom(...LINES);
const written = fc.constantFrom(...TEXTS);
const moment = fc.constantFrom(...MOMENTS);
const id = fc.constantFrom(...IDS);
const funnel = fc.nat(2);
const seconds = fc.constantFrom(0, 60, 61, 3_600);

/** `funnelId` is an index here; `ListingStage` replaces it by the id of the funnel. */
const interviews = fc.uniqueArray(
  fc.record<ModelInterview>({
    id,
    funnelId: funnel,
    title: line,
    candidateName: maybe(line),
    candidateEmail: fc.constant(null),
    recordedAt: moment,
    seconds,
    archived: fc.boolean().map((yes) => yes && true),
    transcript: maybe(written),
    summary: maybe(written),
    youtubeId: maybe(fc.constant('yt')),
    destinationId: maybe(fc.constant('BUB-A-1')),
    youtubeStatus: fc.constantFrom(...STATUSES),
    transcriptionStatus: fc.constantFrom(...STATUSES),
    summaryStatus: fc.constantFrom(...STATUSES),
  }),
  { selector: (one) => one.id, maxLength: IDS.length },
);

const query = fc.record<ModelQuery>({
  page: fc.integer({ min: 1, max: 4 }),
  limit: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(100)),
  search: fc.oneof(
    { weight: 1, arbitrary: fc.constant('') },
    {
      weight: 2,
      arbitrary: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((words) => words.join('  ')),
    },
  ),
  funnelId: fc.oneof(fc.constant<number[]>([]), fc.array(funnel, { maxLength: 3 })),
  clientName: fc.oneof(
    { weight: 3, arbitrary: fc.constant<string[]>([]) },
    fc.array(fc.constantFrom('Mercy', 'Ärzte', 'Nobody'), { maxLength: 2 }),
  ),
  status: fc.constantFrom('all', 'all', 'new', 'processing', 'pending', 'sent', 'error'),
  startDate: fc.option(moment, { nil: undefined }),
  endDate: fc.option(moment, { nil: undefined }),
  archived: fc.constantFrom('0', '0', '1'),
  ready: fc.constantFrom('0', '0', '0', '1'),
  withoutTranscript: fc.constantFrom(undefined, undefined, undefined, '1'),
  sort: fc.constantFrom(undefined, 'newest', 'oldest', 'longest', 'longest'),
});

const change: fc.Arbitrary<ListingChange> = fc.oneof(
  fc.record({ kind: fc.constantFrom('archive', 'unarchive', 'delete', 'send'), id }),
  fc.record({ kind: fc.constantFrom('transcript', 'summary'), id, text: written }),
  fc.record({ kind: fc.constant('refresh'), id, title: line, recordedAt: moment, funnelId: funnel }),
  fc.record({ kind: fc.constant('measure'), id, seconds: seconds.filter((n) => n > 0) }),
  fc.record({ kind: fc.constant('rename'), funnelId: funnel, client: fc.constantFrom(...CLIENTS) }),
);

test('the list equals a simple model of the specification, for any sequence of queries and changes', async () => {
  const product = await startApp({ jobs: false });
  const recruiter = await product.signedIn();
  const funnelIds = [];
  for (const nth of [0, 1, 2]) funnelIds.push(await product.build.funnel(recruiter, { funnelId: `funnel-${nth}` }));
  const stage = new ListingStage(product, recruiter, funnelIds);

  // Repeats the queries after each change, so that remembered counts and pages are outdated.
  const run = fc.record({
    interviews,
    queries: fc.array(query, { minLength: 1, maxLength: 8 }),
    changes: fc.array(change, { maxLength: 10 }),
  });
  await fc.assert(
    fc.asyncProperty(run, async ({ interviews, queries, changes }) => {
      await stage.begin(interviews);
      for (const one of queries) await stage.check(one);
      for (const applied of changes) {
        await stage.apply(applied);
        await stage.checkFunnels();
        for (const one of queries) await stage.check(one);
      }
    }),
    { numRuns: 40, seed: 20_260_301 },
  );
}, 120_000);
