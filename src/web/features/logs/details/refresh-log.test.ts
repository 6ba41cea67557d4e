import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LogEntry, RefreshLogDetails, RefreshLogMetadata } from '#contracts/logs.ts';
import { spoiled } from '#support/hostile-json.ts';
import { readRefreshLog } from '#web/features/logs/details/refresh-log.ts';

const SKIPPED = { interviewId: 'iv_1', title: 'Nurse', reason: 'It has no date.' };
const DETAILS = {
  funnelName: 'Nursing',
  funnelId: 4,
  funnelApiId: 'nursing-2026',
  processingTimeMs: 12_340,
  skippedInterviews: [SKIPPED, { ...SKIPPED, interviewId: 'iv_2' }],
  detailedChanges: {
    iv_3: {
      title: 'Cook',
      fields: { title: { oldValue: 'Chef', newValue: 'Cook' }, phone: { oldValue: null, newValue: '1' } },
    },
  },
  failedDownloads: [
    { interviewId: 'iv_4', kind: 'video', reason: 'The file is empty.' },
    { interviewId: 'iv_5', kind: 'thumbnail', reason: 'It is no picture.' },
  ],
} satisfies RefreshLogDetails & Record<string, unknown>;
const METADATA: RefreshLogMetadata = {
  count: 9,
  newCount: 3,
  updatedCount: 1,
  archivedCount: 0,
  downloadedFiles: 5,
  failedFiles: 1,
  timeframe: 'all',
  funnelDetails: { id: 4, name: 'Nursing', funnelId: 'nursing-2026', clientName: 'St. Mary' },
  detailedSummary: { totalFieldChanges: 2, updatedInterviewIds: ['iv_3'], skippedInterviewCount: 2 },
};
const entry = (details: unknown, metadata: unknown): LogEntry => ({
  id: 1,
  type: 'refresh',
  action: 'sync-interviews',
  status: 'success',
  summary: 'Done',
  createdAt: '2026-03-01T10:00:00.000Z',
  details: details as LogEntry['details'],
  metadata: metadata as LogEntry['metadata'],
});

type Json = Record<string, unknown>;
const isObject = (raw: unknown): raw is Json => typeof raw === 'object' && raw !== null && !Array.isArray(raw);
/** The contract promises an object or nothing; what is in it may be anything. */
const open = (right: unknown) => fc.oneof(spoiled(right), fc.jsonValue()).map((raw) => (isObject(raw) ? raw : null));
const listed = (raw: unknown) => (Array.isArray(raw) ? raw.filter(isObject) : []);
const textOf = (raw: unknown) => (typeof raw === 'string' ? raw : '');
const idOf = (raw: unknown) => (typeof raw === 'number' && Number.isFinite(raw) ? String(raw) : textOf(raw));
const countOf = (raw: unknown) => (typeof raw === 'number' && Number.isFinite(raw) ? raw : null);
const itemsOf = (raw: unknown) => listed(raw).map(({ interviewId, reason }) => [idOf(interviewId), textOf(reason)]);

test('the end of a refresh is read as it was written', () => {
  const read = readRefreshLog(entry(DETAILS, METADATA));
  expect(read?.details).toEqual({ ...DETAILS, funnelId: '4' });
  const { downloadedFiles, failedFiles, timeframe, ...shown } = METADATA;
  expect(read?.metadata).toEqual({ ...shown, funnelDetails: { ...METADATA.funnelDetails, id: '4' } });
});

test('whatever an entry holds, it is read, and what is well-formed in it is shown', () => {
  fc.assert(
    fc.property(open(DETAILS), open(METADATA), (details, metadata) => {
      const read = readRefreshLog(entry(details, metadata));
      expect(read === null).toBe(details === null && metadata === null);
      if (!read) return;
      const given = details ?? {};
      expect(read.details).toMatchObject({
        funnelName: textOf(given.funnelName),
        funnelId: idOf(given.funnelId),
        funnelApiId: idOf(given.funnelApiId),
        processingTimeMs: countOf(given.processingTimeMs),
      });
      expect(read.details.skippedInterviews.map((item) => [item.interviewId, item.reason])).toEqual(
        itemsOf(given.skippedInterviews),
      );
      expect(read.details.failedDownloads.map((item) => [item.interviewId, item.reason])).toEqual(
        itemsOf(given.failedDownloads),
      );
      for (const name of ['count', 'newCount', 'updatedCount', 'archivedCount'] as const)
        expect(read.metadata[name]).toBe(countOf(metadata?.[name]));
    }),
    { numRuns: 2_000 },
  );
});

/** What an object holds; a name that objects themselves have is none that a field can have. */
const entriesOf = (raw: unknown) => (isObject(raw) ? Object.entries(raw).filter(([name]) => name !== '__proto__') : []);
const asText = (raw: unknown) => (raw == null ? null : typeof raw === 'string' ? raw : JSON.stringify(raw));
const changeOf = (raw: unknown) => {
  const { oldValue, newValue } = isObject(raw) ? raw : {};
  return { oldValue: asText(oldValue), newValue: asText(newValue) };
};
const changesOf = (raw: unknown) => {
  const { title, fields } = isObject(raw) ? raw : {};
  return {
    title: textOf(title),
    fields: Object.fromEntries(entriesOf(fields).map(([name, one]) => [name, changeOf(one)])),
  };
};

test('whatever a refresh changed, each value that is a text is shown as it is, each other one as text or as none', () => {
  fc.assert(
    fc.property(open(DETAILS), (details) => {
      const { detailedChanges } = readRefreshLog(entry(details ?? {}, null))?.details ?? {};
      const expected = entriesOf(details?.detailedChanges).map(([id, one]) => [id, changesOf(one)]);
      expect(detailedChanges).toEqual(Object.fromEntries(expected));
    }),
    { numRuns: 1_000 },
  );
});

test('whatever stands in a list beside them, the items that can be read are shown', () => {
  const item = fc.record({
    interviewId: fc.string(),
    title: fc.string(),
    reason: fc.string(),
    kind: fc.constant('video'),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(item, fc.jsonValue())), (items) => {
      const read = readRefreshLog(entry({ skippedInterviews: items, failedDownloads: items }, null));
      const expected = itemsOf(items);
      for (const list of [read?.details.skippedInterviews, read?.details.failedDownloads])
        expect(list?.map(({ interviewId, reason }) => [interviewId, reason])).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('no other entry is the end of a refresh', () => {
  fc.assert(
    fc.property(fc.string(), (action) => {
      fc.pre(action !== 'sync-interviews');
      expect(readRefreshLog({ ...entry(DETAILS, METADATA), action })).toBeNull();
    }),
  );
});
