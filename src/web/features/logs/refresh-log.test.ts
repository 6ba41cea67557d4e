import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LogEntry, RefreshLogDetails, RefreshLogMetadata } from '#contracts/logs.ts';
import { spoiled } from '#support/hostile-json.ts';
import { readRefreshLog } from './refresh-log.ts';

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
    { interviewId: 'iv_5', kind: 'thumbnail', reason: 'It is not a picture.' },
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
  actor: null,
  details: details as LogEntry['details'],
  metadata: metadata as LogEntry['metadata'],
  isShortened: false,
});

type Json = Record<string, unknown>;
const isObject = (raw: unknown): raw is Json => typeof raw === 'object' && raw !== null && !Array.isArray(raw);
/** The contract allows an object or null, with any content. */
const open = (right: unknown) => fc.oneof(spoiled(right), fc.jsonValue()).map((raw) => (isObject(raw) ? raw : null));
const listed = (raw: unknown) => (Array.isArray(raw) ? raw.filter(isObject) : []);
const textOf = (raw: unknown) => (typeof raw === 'string' ? raw : '');
const idOf = (raw: unknown) => (typeof raw === 'number' && Number.isFinite(raw) ? String(raw) : textOf(raw));
const countOf = (raw: unknown) => (typeof raw === 'number' && Number.isFinite(raw) ? raw : null);
const itemsOf = (raw: unknown) => listed(raw).map(({ interviewId, reason }) => [idOf(interviewId), textOf(reason)]);

test('the report of a finished refresh is read as it was written', () => {
  const read = readRefreshLog(entry(DETAILS, METADATA));
  expect(read?.details).toEqual({ ...DETAILS, funnelId: '4' });
  const { downloadedFiles, failedFiles, timeframe, ...shown } = METADATA;
  expect(read?.metadata).toEqual({ ...shown, funnelDetails: { ...METADATA.funnelDetails, id: '4' } });
});

test('any entry can be read, and its well-formed parts are kept', () => {
  fc.assert(
    fc.property(open(DETAILS), open(METADATA), (details, metadata) => {
      const read = readRefreshLog(entry(details, metadata));
      expect(read === null).toBe(details === null && metadata === null);
      if (!read) return;
      const stored = details ?? {};
      expect(read.details).toMatchObject({
        funnelName: textOf(stored.funnelName),
        funnelId: idOf(stored.funnelId),
        funnelApiId: idOf(stored.funnelApiId),
        processingTimeMs: countOf(stored.processingTimeMs),
      });
      expect(read.details.skippedInterviews.map((item) => [item.interviewId, item.reason])).toEqual(
        itemsOf(stored.skippedInterviews),
      );
      expect(read.details.failedDownloads.map((item) => [item.interviewId, item.reason])).toEqual(
        itemsOf(stored.failedDownloads),
      );
      for (const name of ['count', 'newCount', 'updatedCount', 'archivedCount'] as const)
        expect(read.metadata[name]).toBe(countOf(metadata?.[name]));
    }),
    { numRuns: 2_000 },
  );
});

/** The entries of an object, without `__proto__`, which cannot be the name of a field. */
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
    fields: Object.fromEntries(entriesOf(fields).map(([name, change]) => [name, changeOf(change)])),
  };
};

test('changed values are read as text, and missing ones as null', () => {
  fc.assert(
    fc.property(open(DETAILS), (details) => {
      const { detailedChanges } = readRefreshLog(entry(details ?? {}, null))?.details ?? {};
      const expected = entriesOf(details?.detailedChanges).map(([id, changes]) => [id, changesOf(changes)]);
      expect(detailedChanges).toEqual(Object.fromEntries(expected));
    }),
    { numRuns: 1_000 },
  );
});

test('readable items of a list are kept next to unreadable ones', () => {
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

test('other entries are not read as a finished refresh', () => {
  fc.assert(
    fc.property(fc.string(), (action) => {
      fc.pre(action !== 'sync-interviews');
      expect(readRefreshLog({ ...entry(DETAILS, METADATA), action })).toBeNull();
    }),
  );
});
