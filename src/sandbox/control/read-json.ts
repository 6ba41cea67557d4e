import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

/** The body as JSON. @throws SyntaxError when it is none */
export const readJson = (request: IncomingMessage): Promise<unknown> => json(request);
