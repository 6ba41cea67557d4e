import type { z } from 'zod';
import { API } from '#contracts/api.ts';
import { InterviewPath, RowPath } from '#contracts/fields.ts';

/** Percent-encoded texts that are not decimal integers, though JavaScript reads most as numbers. */
const NO_NUMBERS = ['1e1', '0x10', '0b1', '%203%20', '%2B2', '1.0', '%0A1', '%D9%A3', 'abc'];

const IDS = new Map<z.ZodType | undefined, string[]>([
  [RowPath, [...NO_NUMBERS, '0', '-1', '99999999999']],
  [InterviewPath, ['x'.repeat(201), 'a%00b', 'a%0Ab', '%C2%85']],
]);

/** Method, path and id: every endpoint with an id gets the invalid ids of its kind. */
export const WRONG_IDS = API.flatMap(({ method, path, params }) =>
  (IDS.get(params) ?? []).map((id) => [method, path, id] as const),
);

/** Path, query, and the field in the error response. */
export const WRONG_QUERIES: [path: string, query: string, field: string][] = [
  ...['/api/interviews', '/api/logs'].flatMap((path): [string, string, string][] => [
    ...[...NO_NUMBERS, '', '0', '-1', '1.5', '99999999999999999999'].map((page): [string, string, string] => [
      path,
      `page=${page}`,
      'page',
    ]),
    ...[...NO_NUMBERS, '', '0', '-5', '101'].map((limit): [string, string, string] => [
      path,
      `limit=${limit}`,
      'limit',
    ]),
    [path, 'startDate=yesterday', 'startDate'],
    [path, 'startDate=1', 'startDate'],
    [path, 'endDate=2026-02-30T00:00:00Z', 'endDate'],
    [path, 'endDate=2026-02-03', 'endDate'],
    [path, 'endDate=0000-01-01T00:00:00Z', 'endDate'],
  ]),
  ...[...NO_NUMBERS, '', '1&funnelId=-2', '99999999999'].map((id): [string, string, string] => [
    '/api/interviews',
    `funnelId=${id}`,
    'funnelId',
  ]),
  ['/api/interviews', 'page=1&page=2', 'page'],
  ['/api/interviews', 'status=finished', 'status'],
  ['/api/interviews', 'status=new&status=sent', 'status'],
  ['/api/interviews', 'clientName=', 'clientName'],
  ['/api/interviews', `clientName=${'x'.repeat(51)}`, 'clientName'],
  ['/api/interviews', `search=${'x'.repeat(201)}`, 'search'],
  ['/api/interviews', 'search=a&search=b', 'search'],
  ['/api/interviews', 'search=%00', 'search'],
  ['/api/interviews', 'texts=maybe', 'texts'],
  ['/api/interviews', 'archived=2', 'archived'],
  ['/api/interviews/:id', 'texts=maybe', 'texts'],
  ['/api/logs', 'type=secret', 'type'],
  ['/api/logs', 'views=maybe', 'views'],
  ['/api/interviews/sync', 'timeframe=tomorrow', 'timeframe'],
];
