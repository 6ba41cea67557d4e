import { expect, test } from 'vitest';
import { readLiveMessage } from './live-message.ts';

const read = (message: unknown) => readLiveMessage(JSON.stringify(message));

test('missing fields of a refresh message have defaults, and unknown fields are ignored', () => {
  const data = { inProgress: true, processed: 3, total: 9, downloadedFiles: 1, totalFiles: 4, current: 'Ana' };
  expect(read({ type: 'refresh-progress', data: { ...data, speed: 7 }, sentAt: 'now' })).toEqual({
    type: 'refresh-progress',
    data: { ...data, error: null, message: null, cancelRequested: false, funnelId: null, timeframe: null, queue: null },
  });
  expect(read({ type: 'refresh-completed' })).toMatchObject({
    data: { inProgress: false, processed: 0, message: null },
  });
  expect(read({ type: 'refresh-status', data: { processed: '3' } })).toMatchObject({
    data: { inProgress: true, processed: 0 },
  });
});

test.each(['interviews-changed', 'funnels-changed', 'devices-changed'])('%s has no data', (type) => {
  expect(read({ type })).toEqual({ type });
});

test.each([undefined, null, {}, { error: null }, { error: '' }])(
  'a refresh-error with %o reads An unknown error occurred',
  (data) => {
    expect(read({ type: 'refresh-error', data })).toMatchObject({
      data: { inProgress: false, error: 'An unknown error occurred' },
    });
  },
);

test.each([
  [{ type: 'conversion-completed' }, { type: 'conversion-completed', data: { interviewId: '', message: '' } }],
  [
    { type: 'summary-failed', data: { interviewId: 'a', reason: 'x' } },
    { type: 'summary-failed', data: { interviewId: 'a', message: '' } },
  ],
  [
    { type: 'scores-completed', message: 'Done' },
    { type: 'other', name: 'scores-completed', message: 'Done' },
  ],
  [
    { type: 'scores-failed', data: { message: 'No' } },
    { type: 'other', name: 'scores-failed', message: 'No' },
  ],
  [
    { type: 'hello', data: 7, message: {} },
    { type: 'other', name: 'hello', message: '' },
  ],
])('%j is read', (message, expected) => {
  expect(read(message)).toEqual(expected);
});

test('a log entry without the fields that the specification does not name is read', () => {
  const payload = {
    id: 7,
    type: 'auth',
    action: 'login',
    status: 'success',
    summary: 'x',
    createdAt: '2026-01-02T03:04:05.000Z',
  };
  expect(read({ type: 'system-log', action: 'created', payload })).toMatchObject({
    payload: { ...payload, actor: null, details: null, metadata: null, isShortened: false },
  });
});

test.each([7, null, [], { data: {} }, { type: 'system-log', payload: 7 }, { type: 'interview-edited' }])(
  '%j cannot be read',
  (message) => {
    expect(() => read(message)).toThrow();
  },
);
