import type { z } from 'zod';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One call of the HTTP API: what both sides agree on. The server serves it with `route()`, the browser makes it with `call()`. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  /** Fastify notation: `/api/funnels/:id`. */
  readonly path: `/${string}`;
  /** One line for the API documentation. */
  readonly summary: string;
  /** Open endpoints serve anonymous callers; every other one is refused with 401 by the guard. */
  readonly open?: boolean;
  /** True for the GET that changes state: it gets the same origin check as a POST. */
  readonly changesState?: boolean;
  /** The status of a success; 200 when absent. */
  readonly status?: 200 | 201 | 202;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly response: Response;
}

/** Declares an endpoint and keeps the exact types of its schemas. */
export const endpoint = <
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Response extends z.ZodType = z.ZodType,
>(
  definition: Endpoint<Params, Query, Body, Response>,
): Endpoint<Params, Query, Body, Response> => definition;

type Part<Key extends string, Schema extends z.ZodType, Side> = Schema extends z.ZodUndefined
  ? unknown
  : Side extends 'input'
    ? { [K in Key]: z.input<Schema> }
    : { [K in Key]: z.output<Schema> };

/** What a caller passes: raw values, defaults not yet applied. */
export type CallInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _R>
    ? Part<'params', P, 'input'> & Part<'query', Q, 'input'> & Part<'body', B, 'input'>
    : never;

/** What a handler receives: validated values. */
export type HandlerInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _R>
    ? Part<'params', P, 'output'> & Part<'query', Q, 'output'> & Part<'body', B, 'output'>
    : never;

/** What the endpoint answers. */
export type Answer<E> = E extends Endpoint<infer _P, infer _Q, infer _B, infer R> ? z.output<R> : never;
