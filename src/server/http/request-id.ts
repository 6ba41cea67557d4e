import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What a proxy may name a request: enough to be unique, nothing that could break a line of a log. */
const SANE = /^[\w.:-]{8,128}$/;

/** Names requests. Only the name that our own proxy gives counts: a client's could pretend to be somebody else's request. */
export const requestIds =
  (trustProxy: boolean) =>
  (request: IncomingMessage): string => {
    const given = trustProxy ? request.headers['x-request-id'] : undefined;
    return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
  };
