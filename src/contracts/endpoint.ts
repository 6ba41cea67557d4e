import type { z } from 'zod';
import type { Role, Scope } from './rules/roles.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Who may call. Both are decided for every endpoint and for every other route. */
export interface Access {
  /** The least role; others get 403, and anonymous callers 401. `open`: every client. */
  readonly role: 'open' | Role;
  /** The scope that an API token needs. Null: no token may call. */
  readonly scope: Scope | null;
  /** True: only accounts that see all funnels may call; others get 403. */
  readonly needsAllFunnels?: boolean;
}

type Path = `/${string}`;

/**
 * One endpoint of the HTTP API. The server serves it with `route()`; the browser calls it with
 * `call()`.
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  OfMethod extends Method = Method,
  AtPath extends Path = Path,
> extends Access {
  readonly method: OfMethod;
  /** Fastify notation: `/api/funnels/:id`. */
  readonly path: AtPath;
  /** One line for the API documentation. */
  readonly summary: string;
  /** True for a GET that changes state: its origin is checked as for a POST. */
  readonly changesState?: boolean;
  /** Status of a success. Default: 200. A 204 has no body. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Default: 2 MB. */
  readonly maxBodyBytes?: number;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly response: Response;
}

/** Keeps the exact types of the schemas, the method and the path. */
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

type Part<Key extends string, Schema extends z.ZodType, Side> = Schema extends z.ZodUndefined
  ? unknown
  : Side extends 'input'
    ? { [K in Key]: z.input<Schema> }
    : { [K in Key]: z.output<Schema> };

/** A query without required parameters may be left out. */
type CallQuery<Q extends z.ZodType> =
  object extends z.input<Q> ? Partial<Part<'query', Q, 'input'>> : Part<'query', Q, 'input'>;

/** Input of a caller: before validation, without defaults. */
export type CallInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _R>
    ? Part<'params', P, 'input'> & CallQuery<Q> & Part<'body', B, 'input'>
    : never;

/** Input of a handler: validated, with defaults. */
export type HandlerInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _R>
    ? Part<'params', P, 'output'> & Part<'query', Q, 'output'> & Part<'body', B, 'output'>
    : never;

/** The body of a successful response. */
export type ResponseOf<E> = E extends Endpoint<infer _P, infer _Q, infer _B, infer R> ? z.output<R> : never;
