import type { FaultList, FaultSubject } from '#sandbox/faults/fault-list.ts';
import type { Exchange } from '#sandbox/http/exchange.ts';
import { Tokens } from './tokens.ts';
import { Uploads } from './uploads.ts';

export const GOOGLE_PREFIX = '/google';

/** State shared by the pages and calls of the simulated Google services. */
export interface GoogleParts {
  tokens: Tokens;
  uploads: Uploads;
  faults: FaultList;
  /** Public address including the prefix. */
  url: string;
}

export const googleParts = (origin: string, faults: FaultList): GoogleParts => ({
  tokens: new Tokens(),
  uploads: new Uploads(),
  faults,
  url: origin + GOOGLE_PREFIX,
});

export const subjectOf = ({ path }: Exchange): FaultSubject => ({ mount: 'google', path, funnelId: null, page: null });
