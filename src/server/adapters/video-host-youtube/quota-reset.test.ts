import { expect, test } from 'vitest';
import { nextQuotaReset } from './quota-reset.ts';

test.each([
  ['in winter', '2026-11-20T15:00:00Z', '2026-11-21T08:00:00Z'],
  ['in summer', '2026-07-20T15:00:00Z', '2026-07-21T07:00:00Z'],
  ['when it is already tomorrow in UTC', '2026-07-21T03:00:00Z', '2026-07-21T07:00:00Z'],
  ['just before it', '2026-11-21T07:59:59.999Z', '2026-11-21T08:00:00Z'],
  ['at the moment itself', '2026-11-21T08:00:00Z', '2026-11-22T08:00:00Z'],
  ['on the eve of the change to summer time', '2026-03-08T07:30:00Z', '2026-03-08T08:00:00Z'],
  ['on the day of the change to summer time, before it', '2026-03-08T09:30:00Z', '2026-03-09T07:00:00Z'],
  ['on the day of the change to summer time, after it', '2026-03-08T20:00:00Z', '2026-03-09T07:00:00Z'],
  ['on the eve of the change to winter time', '2026-11-01T06:30:00Z', '2026-11-01T07:00:00Z'],
  [
    'on the day of the change to winter time, in the hour that comes twice',
    '2026-11-01T08:30:00Z',
    '2026-11-02T08:00:00Z',
  ],
  ['at the end of a year', '2026-12-31T12:00:00Z', '2027-01-01T08:00:00Z'],
  ['before a leap day', '2028-02-28T12:00:00Z', '2028-02-29T08:00:00Z'],
])('the quota resets at the next midnight in Los Angeles %s', (_, now, reset) => {
  expect(nextQuotaReset(new Date(now))).toEqual(new Date(reset));
});
