import type { z } from 'zod';
import { API } from '#contracts/api.ts';
import { CommentPath } from '#contracts/comments.ts';
import { InterviewPath, RowPath, TokenPath } from '#contracts/fields.ts';
import { DeliveryPath } from '#contracts/outgoing-webhooks.ts';

/** Percent-encoded texts that are not decimal integers, though JavaScript reads most as numbers. */
const NO_NUMBERS = ['1e1', '0x10', '0b1', '%203%20', '%2B2', '1.0', '%0A1', '%D9%A3', 'abc'];

const WRONG_ROW_IDS = [...NO_NUMBERS, '0', '-1', '99999999999'];

const IDS = new Map<z.ZodType | undefined, string[]>([
  [RowPath, WRONG_ROW_IDS],
  [DeliveryPath, WRONG_ROW_IDS],
  [TokenPath, ['x'.repeat(201), 'a%00b']],
  [CommentPath, ['x'.repeat(201)]],
  [InterviewPath, ['x'.repeat(201), 'a%00b', 'a%0Ab', '%C2%85']],
]);

/** Method, path, id and its parameter, for every path parameter and invalid id of its kind. */
export const WRONG_IDS = API.flatMap(({ method, path, params }) =>
  [...path.matchAll(/:(\w+)/g)].flatMap(([, name = '']) =>
    (IDS.get(params) ?? []).map((id) => [method, path, id, name] as const),
  ),
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
  ]),
  ...[...NO_NUMBERS, '', '0', '-1', '1.5'].map((shareId): [string, string, string] => [
    '/api/interviews/:id/ats',
    `shareId=${shareId}`,
    'shareId',
  ]),
  ...['/api/interviews', '/api/logs', '/api/review'].flatMap((path): [string, string, string][] => [
    [path, 'startDate=yesterday', 'startDate'],
    [path, 'startDate=1', 'startDate'],
    [path, 'endDate=2026-02-30T00:00:00Z', 'endDate'],
    [path, 'endDate=2026-02-03', 'endDate'],
    [path, 'endDate=0000-01-01T00:00:00Z', 'endDate'],
  ]),
  ...['/api/interviews', '/api/review'].flatMap((path): [string, string, string][] => [
    ...[...NO_NUMBERS, '', '1&funnelId=-2', '99999999999'].map((id): [string, string, string] => [
      path,
      `funnelId=${id}`,
      'funnelId',
    ]),
    [path, 'status=finished', 'status'],
    [path, 'status=new&status=sent', 'status'],
    [path, 'clientName=', 'clientName'],
    [path, `clientName=${'x'.repeat(51)}`, 'clientName'],
    [path, `search=${'x'.repeat(201)}`, 'search'],
    [path, 'search=a&search=b', 'search'],
    [path, 'search=%00', 'search'],
    [path, 'unwatched=true', 'unwatched'],
    [path, 'sort=shortest', 'sort'],
    [path, 'withoutTranscript=true', 'withoutTranscript'],
    [path, 'unwatched=', 'unwatched'],
    [path, 'unreviewed=true', 'unreviewed'],
    [path, 'decision=maybe', 'decision'],
    [path, 'asOf=yesterday', 'asOf'],
  ]),
  ['/api/interviews', 'page=1&page=2', 'page'],
  ...[...NO_NUMBERS, '-1', '99999999999'].map((skip): [string, string, string] => [
    '/api/review',
    `skip=${skip}`,
    'skip',
  ]),
  ['/api/ats/jobs', `search=${'x'.repeat(201)}`, 'search'],
  ['/api/interviews', 'texts=maybe', 'texts'],
  ['/api/interviews', 'archived=2', 'archived'],
  ['/api/review', 'archived=2', 'archived'],
  ['/api/interviews', 'ready=yes', 'ready'],
  ['/api/review', 'ready=yes', 'ready'],
  ['/api/interviews/:id', 'texts=maybe', 'texts'],
  ['/api/shares', `interviewId=${'x'.repeat(201)}`, 'interviewId'],
  ['/api/shares', 'state=open', 'state'],
  ['/api/share-defaults', '', 'interviewId'],
  ['/api/logs', 'type=secret', 'type'],
  ['/api/logs', 'views=maybe', 'views'],
  ['/api/interviews/sync', 'timeframe=tomorrow', 'timeframe'],
];
