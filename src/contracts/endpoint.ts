import type { z } from 'zod';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

type Path = `/${string}`;

/** One call of the HTTP API: what both sides agree on. The server serves it with `route()`, the browser makes it with `call()`. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  OfMethod extends Method = Method,
  AtPath extends Path = Path,
> {
  readonly method: OfMethod;
  /** Fastify notation: `/api/funnels/:id`. */
  readonly path: AtPath;
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

/** Declares an endpoint and keeps its exact types, those of its schemas, its method and its path. */
export const endpoint = <
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Response extends z.ZodType = z.ZodType,
  const OfMethod extends Method = Method,
  const AtPath extends Path = Path,
>(
  definition: Endpoint<Params, Query, Body, Response, OfMethod, AtPath>,
): Endpoint<Params, Query, Body, Response, OfMethod, AtPath> => definition;

/** Where an endpoint is, without its schemas: all that a caller needs who trusts the server. */
export interface Address<E extends Endpoint> {
  readonly method: E['method'];
  readonly path: E['path'];
  /** Never there: it carries the types of what is sent and answered. */
  readonly endpoint?: E;
}

type Part<Key extends string, Schema extends z.ZodType, Side> = Schema extends z.ZodUndefined
  ? unknown
  : Side extends 'input'
    ? { [K in Key]: z.input<Schema> }
    : { [K in Key]: z.output<Schema> };

/** What a caller passes: raw values, defaults not yet applied. */
export type CallInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _R>
    ? Part<'params', P, 'input'> & Part<'query', Q, 'input'> & Part<'body', B, 'input'>
    : E extends Address<infer At>
      ? CallInput<At>
      : never;

/** What a handler receives: validated values. */
export type HandlerInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _R>
    ? Part<'params', P, 'output'> & Part<'query', Q, 'output'> & Part<'body', B, 'output'>
    : never;

/** What the endpoint, or the one at this address, answers. */
export type Answer<E> =
  E extends Endpoint<infer _P, infer _Q, infer _B, infer R>
    ? z.output<R>
    : E extends Address<infer At>
      ? Answer<At>
      : never;
